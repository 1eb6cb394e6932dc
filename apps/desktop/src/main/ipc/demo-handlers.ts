import type { demoContract } from '@shared/contract/app'
import type { DemoService } from '../services/demo/demo-service'
import type { HandlersOf } from './dispatch'

export function createDemoHandlers(demo: DemoService): HandlersOf<typeof demoContract> {
  return {
    start: ({ runner, consent }) => demo.start(runner, consent),
    remove: () => demo.remove(),
  }
}
