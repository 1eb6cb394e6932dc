import { describeCli } from './describe-cli'

describeCli('grok-build')
