import type { StreamFileError } from '../../ports/stream-files'
import type { StartFiles } from './run-files'
import type { StartRecorder, StreamName } from './start-recorder'

/** Everything that one start prints together may not be more than this; beyond it the run ends. */
const maxStreamBytes = 4_000_000_000

export interface FollowOptions {
  readonly files: StartFiles
  readonly recorder: StartRecorder
  /** Aborted once the container has ended: then the rest is read. */
  readonly ended: AbortSignal
  /** Ends at once. */
  readonly detach: AbortSignal
  readonly onRefused: (error: StreamFileError) => void
}

/** Reads both stream files to their end; settles when all of it is stored, and nothing more will be. */
export async function followStart({
  files,
  recorder,
  ended,
  detach,
  onRefused,
}: FollowOptions): Promise<void> {
  const follow = async (stream: StreamName): Promise<void> => {
    const file = files[stream]
    // From the beginning, also after a restart: the recorder knows what is stored already.
    for await (const item of file.follow({ offset: 0, ended, signal: detach, maxBytes: maxStreamBytes })) {
      if (item.type === 'refused') return onRefused(item.error)
      await recorder.take(stream, file, item)
    }
  }
  try {
    await Promise.all([follow('stdout'), follow('stderr')])
    if (!detach.aborted) await recorder.end()
  } finally {
    await recorder.close()
  }
}
