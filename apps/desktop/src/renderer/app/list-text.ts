import { create } from 'zustand'

/** What is typed into the filter of the mailbox list; it stays while other screens are open. */
const useStore = create<{ readonly text: string }>(() => ({ text: '' }))

export const useListText = (): string => useStore((state) => state.text)

export function setListText(text: string): void {
  useStore.setState({ text })
}
