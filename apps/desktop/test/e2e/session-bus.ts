import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as dbus from '@jellybrick/dbus-next'

/*
 * A private session bus with a notification server and a tray host that a test can read and poke. Nothing of it
 * reaches the desktop of whoever runs the tests.
 */

const notifications = 'org.freedesktop.Notifications'
const watcher = 'org.kde.StatusNotifierWatcher'
const item = 'org.kde.StatusNotifierItem'
const dbusMenu = 'com.canonical.dbusmenu'
const properties = 'org.freedesktop.DBus.Properties'

const { Message, Variant } = dbus
type BusMessage = InstanceType<typeof Message>

export interface ShownNotification {
  readonly id: number
  readonly app: string
  readonly summary: string
  /** As the app sent it: on Linux escaped for servers that read markup. */
  readonly body: string
  readonly actions: readonly string[]
}

export interface TrayMenuItem {
  readonly id: number
  readonly label: string
  readonly enabled: boolean
}

export interface TrayItem {
  tooltip(): Promise<string>
  menu(): Promise<readonly TrayMenuItem[]>
  choose(label: string): Promise<void>
  /** A left click. */
  activate(): Promise<void>
}

export interface SessionBus {
  readonly env: Readonly<Record<string, string>>
  readonly shown: readonly ShownNotification[]
  /** As the desktop does when a person clicks the notification. */
  clickNotification(id: number): void
  /** The tray icon that was registered last; null before there is one. */
  tray(): TrayItem | null
  stop(): Promise<void>
}

export interface SessionBusOptions {
  /** Whether somebody shows tray icons here; default true. */
  readonly hasTrayHost?: boolean
  /** Whether somebody shows notifications here; default true. */
  readonly hasNotifications?: boolean
}

/** Without the services of this computer: none of them starts by itself. */
const busOf = (address: string): string =>
  `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>${address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

export async function startSessionBus({
  hasTrayHost = true,
  hasNotifications = true,
}: SessionBusOptions = {}): Promise<SessionBus> {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-bus-'))
  const address = `unix:path=${folder}/bus`
  const file = join(folder, 'bus.conf')
  writeFileSync(file, busOf(address))
  const daemon = spawn(
    'dbus-daemon',
    [`--config-file=${file}`, '--nofork', '--nopidfile', '--print-address=1'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  await listens(daemon)
  const bus = dbus.sessionBus({ busAddress: address })
  const shown: ShownNotification[] = []
  const items: string[] = []
  const send = (path: string, face: string, name: string, signature: string, body: unknown[]): void =>
    bus.send(Message.newSignal(path, face, name, signature, body))
  const call = async (
    destination: string,
    path: string,
    face: string,
    member: string,
    signature = '',
    body: unknown[] = [],
  ): Promise<readonly unknown[]> => {
    const answer = await bus.call(
      new Message({ destination, path, interface: face, member, signature, body }),
    )
    return answer?.body ?? []
  }

  const watcherProperties: Readonly<Record<string, () => unknown>> = {
    RegisteredStatusNotifierItems: () => new Variant('as', items),
    IsStatusNotifierHostRegistered: () => new Variant('b', true),
    ProtocolVersion: () => new Variant('i', 0),
  }
  const answers: Readonly<Record<string, (message: BusMessage) => readonly [string, unknown[]]>> = {
    [`${notifications}.Notify`]: ({ body }) => {
      const [app, replaces, , summary, text, actions] = body as [
        string,
        number,
        string,
        string,
        string,
        string[],
      ]
      const id = replaces === 0 ? shown.length + 1 : replaces
      shown.push({ id, app, summary, body: text, actions })
      return ['u', [id]]
    },
    [`${notifications}.CloseNotification`]: ({ body }) => {
      setImmediate(() =>
        send('/org/freedesktop/Notifications', notifications, 'NotificationClosed', 'uu', [body[0], 3]),
      )
      return ['', []]
    },
    // without "actions" Electron sends none, and a click would not come back
    [`${notifications}.GetCapabilities`]: () => ['as', [['actions', 'body', 'body-markup', 'persistence']]],
    [`${notifications}.GetServerInformation`]: () => ['ssss', ['alfred-test', 'alfred', '1.0', '1.2']],
    [`${watcher}.RegisterStatusNotifierItem`]: ({ body, sender }) => {
      const name = String(body[0])
      items.push(name.startsWith('/') ? `${sender}${name}` : name)
      send('/StatusNotifierWatcher', watcher, 'StatusNotifierItemRegistered', 's', [items.at(-1)])
      return ['', []]
    },
    [`${watcher}.RegisterStatusNotifierHost`]: () => ['', []],
    [`${properties}.Get`]: ({ body }) => ['v', [watcherProperties[String(body[1])]?.()]],
    [`${properties}.GetAll`]: () => [
      'a{sv}',
      [Object.fromEntries(Object.entries(watcherProperties).map(([name, value]) => [name, value()]))],
    ],
  }
  bus.addMethodHandler((message: BusMessage) => {
    const answer = answers[`${message.interface}.${message.member}`]
    if (answer === undefined) return false
    const [signature, body] = answer(message)
    bus.send(Message.newMethodReturn(message, signature, body))
    return true
  })
  if (hasNotifications) await bus.requestName(notifications, 0)
  if (hasTrayHost) await bus.requestName(watcher, 0)

  const trayItem = (name: string): TrayItem => {
    const slash = name.indexOf('/')
    const [owner, path] =
      slash > 0 ? [name.slice(0, slash), name.slice(slash)] : [name, '/StatusNotifierItem']
    const read = async (property: string): Promise<unknown> =>
      plain((await call(owner, path, properties, 'Get', 'ss', [item, property]))[0])
    const menu = async (): Promise<{ readonly path: string; readonly rows: readonly TrayMenuItem[] }> => {
      const menuPath = String(await read('Menu'))
      const [, layout] = (await call(owner, menuPath, dbusMenu, 'GetLayout', 'iias', [0, -1, []])).map(plain)
      return { path: menuPath, rows: rowsOf(layout) }
    }
    return {
      async tooltip() {
        const tip = await read('ToolTip')
        return Array.isArray(tip) ? String(tip[2]) : ''
      },
      menu: async () => (await menu()).rows,
      async choose(label) {
        const { path: menuPath, rows } = await menu()
        const row = rows.find((candidate) => candidate.label === label)
        if (row === undefined)
          throw new Error(`the tray menu has no "${label}", only ${rows.map((one) => one.label).join(' | ')}`)
        await call(owner, menuPath, dbusMenu, 'Event', 'isvu', [row.id, 'clicked', new Variant('s', ''), 0])
      },
      async activate() {
        await call(owner, path, item, 'Activate', 'ii', [0, 0])
      },
    }
  }
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: address },
    shown,
    clickNotification: (id) =>
      send('/org/freedesktop/Notifications', notifications, 'ActionInvoked', 'us', [id, 'default']),
    tray: () => {
      const name = items.at(-1)
      return name === undefined ? null : trayItem(name)
    },
    async stop() {
      bus.disconnect()
      await ended(daemon)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** It prints its address once it listens; its socket is there a moment before. */
async function listens(daemon: ChildProcess): Promise<void> {
  const failed = new Promise<never>((_, reject) => {
    daemon.once('error', reject)
    daemon.once('exit', (code) => reject(new Error(`dbus-daemon ended with ${code}`)))
  })
  await Promise.race([daemon.stdout === null ? failed : once(daemon.stdout, 'data'), failed])
  failed.catch(() => undefined)
}

async function ended(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null) return
  const gone = new Promise((resolve) => daemon.once('exit', resolve))
  daemon.kill()
  await gone
}

/** Variants without their wrapping. */
function plain(value: unknown): unknown {
  if (value instanceof Variant) return plain(value.value)
  if (typeof value === 'bigint') return Number(value)
  if (Buffer.isBuffer(value)) return null
  if (Array.isArray(value)) return value.map(plain)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
  return value
}

/** The menu and its submenus as one list, separators left out. */
function rowsOf(layout: unknown): readonly TrayMenuItem[] {
  if (!Array.isArray(layout)) return []
  const [id, given, children] = layout as [number, Readonly<Record<string, unknown>>, readonly unknown[]]
  const label = typeof given['label'] === 'string' ? given['label'].replaceAll('__', '_') : ''
  const own = label === '' ? [] : [{ id, label, enabled: given['enabled'] !== false }]
  return [...own, ...children.flatMap(rowsOf)]
}
