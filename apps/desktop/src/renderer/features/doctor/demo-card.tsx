import { Button } from '../../components/button'
import { ConsentDialog, noSessionsThere } from '../../components/consent-dialog'
import { Icon } from '../../components/icon'
import { Notice } from '../../components/notice'
import { DemoThread } from './demo-thread'
import { BuildBar, useImageBuild } from './image-progress'
import { useDemo } from './use-demo'

const promises = [
  'Takes about two minutes',
  'Works without Docker, and says what is missing',
  'Can be removed in one click',
] as const

/** The way to see what Alfred does without an account: two issues and an agent that really remembers. */
export function DemoCard() {
  const demo = useDemo()
  const build = useImageBuild()
  return (
    <section className="flex flex-col gap-3.5" data-test="demo-card" aria-labelledby="demo-title">
      <div>
        <h2 id="demo-title" className="text-16 font-semibold">
          {demo.exists ? 'The demo project' : 'Or try the demo project first'}
        </h2>
        <p className="mt-1 text-13 text-ink-2">
          A small built-in forge with two issues and an agent that really remembers. No account, no token, no
          cost.
        </p>
      </div>
      <DemoThread />
      <ul className="grid gap-1.5 text-12 text-ink-2">
        {promises.map((promise) => (
          <li key={promise} className="flex items-center gap-2">
            <Icon name="check" size={13} className="text-ok" />
            {promise}
          </li>
        ))}
      </ul>
      {demo.problem && (
        <Notice tone="bad" icon="circle-x" title="The demo was not started." isAlert test="demo-problem">
          {demo.problem}
        </Notice>
      )}
      {demo.isStarting && (
        <div className="grid gap-1.5" role="status" data-test="demo-progress">
          <span className="text-12 text-ink-2">
            {build.isBuilding ? build.words : 'Making the project and its two issues.'}
          </span>
          {build.isBuilding && <BuildBar fraction={build.fraction} />}
        </div>
      )}
      <Button
        size="lg"
        variant="primary"
        icon="play"
        className="w-full"
        label={demo.exists ? 'Start the demo again' : 'Try the demo project'}
        isBusy={demo.isStarting}
        test="try-demo"
        onClick={() => demo.start('container', false)}
      />
      {demo.exists && (
        <Button
          variant="quiet"
          icon="trash"
          label="Remove the demo project"
          isBusy={demo.isRemoving}
          test="remove-demo"
          onClick={demo.remove}
        />
      )}
      <ConsentDialog
        isOpen={demo.asksForHost !== null}
        title="Docker does not answer. Run the demo on this computer?"
        text="The demo agent is a small program of Alfred. Without a container it runs as your user, without a sandbox, in a home folder of its own inside Alfred's data folder."
        confirmLabel="Run it here"
        note={noSessionsThere}
        details={demo.asksForHost ? [demo.asksForHost] : []}
        onCancel={demo.refuseHost}
        onConfirm={() => demo.start('host', true)}
      />
    </section>
  )
}
