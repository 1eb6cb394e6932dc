import { describeCli } from './describe-cli'

describeCli('copilot')
