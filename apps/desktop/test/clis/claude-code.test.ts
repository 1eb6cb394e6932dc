import { describeCli } from './describe-cli'

describeCli('claude-code')
