import { create } from 'zustand'
import { homeView, isSameView, type HomeView, type View } from './view'

const historyLimit = 50

interface NavigationState {
  readonly view: View
  /** Where back goes, the nearest last. */
  readonly history: readonly View[]
  /** The place that back left just now, so that the focus goes where it was; null after any other step. */
  readonly cameBackFrom: View | null
}

export const useNavigation = create<NavigationState>(() => ({
  view: homeView,
  history: [],
  cameBackFrom: null,
}))

/** Goes to a place; back returns here. */
export function openView(view: View): void {
  useNavigation.setState((state) => {
    if (isSameView(state.view, view)) return state
    return { view, history: [...state.history, state.view].slice(-historyLimit), cameBackFrom: null }
  })
}

/** Changes where we are without a step: a selection that follows the focus, a filter. */
export function replaceView(view: View): void {
  useNavigation.setState({ view })
}

/** What took its time leads on from `from`; who has gone elsewhere meanwhile is left there. False: they have. */
export function replaceViewFrom(from: View, view: View): boolean {
  if (!isSameView(useNavigation.getState().view, from)) return false
  replaceView(view)
  return true
}

/** One place back; from the first one home. */
export function goBack(): void {
  useNavigation.setState(({ view, history }) => {
    const previous = history.at(-1)
    if (previous) return { view: previous, history: history.slice(0, -1), cameBackFrom: view }
    return view.screen === 'home' ? { view } : { view: lastHome(history), history: [], cameBackFrom: view }
  })
}

/** The home view that was shown last, so that home keeps its filter and mailbox. */
const lastHome = (history: readonly View[]): HomeView =>
  history.findLast((view): view is HomeView => view.screen === 'home') ?? homeView

/** Home as it was left; with `change`, at another filter, project or mailbox. */
export function openHome(change: Partial<HomeView> = {}): void {
  const { view, history } = useNavigation.getState()
  const home = view.screen === 'home' ? view : lastHome(history)
  openView({ ...home, runId: null, ...change })
}
