import { Icon } from '../../components/icon'

/** What a person should know of a turn: as that the context was summed up, or that files were not committed. */
export function TurnNote({ text }: { readonly text: string }) {
  return (
    <p className="turn-note" data-test="turn-note">
      <Icon name="info" size={12} />
      <bdi>{text}</bdi>
    </p>
  )
}
