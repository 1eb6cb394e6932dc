import { describeCli } from './describe-cli'

describeCli('codex')
