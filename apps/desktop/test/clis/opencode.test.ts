import { describeCli } from './describe-cli'

describeCli('opencode')
