import { useEffect, useRef } from 'react'
import { replaceView, useNavigation } from '../lib/navigation/store'
import { homeView, isSameView } from '../lib/navigation/view'
import { useQueryEntry } from '../lib/use-query-entry'

/** At the very first start the window begins with what makes this computer ready, unless a link asked for something. */
export function useFirstStart(): void {
  const { data: info } = useQueryEntry('app.info', {})
  const isDone = useRef(false)
  const isFirstStart = info?.isFirstStart
  useEffect(() => {
    if (isFirstStart === undefined || isDone.current) return
    isDone.current = true
    if (isFirstStart && isSameView(useNavigation.getState().view, homeView))
      replaceView({ screen: 'first-start' })
  }, [isFirstStart])
}
