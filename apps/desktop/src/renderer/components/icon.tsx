import {
  Activity,
  ArrowLeft,
  ArrowLeftRight,
  ArrowUp,
  Ban,
  Bell,
  Box,
  Check,
  ChevronDown,
  ChevronRight,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleQuestionMark,
  CircleX,
  Clock,
  Copy,
  Cpu,
  Database,
  Ellipsis,
  ExternalLink,
  Eye,
  File,
  FileText,
  FolderGit2,
  GitBranch,
  GitCommitHorizontal,
  GitMerge,
  GitPullRequest,
  Globe,
  HardDrive,
  Image,
  Inbox,
  Info,
  KeyRound,
  Keyboard,
  Link,
  List,
  ListFilter,
  Lock,
  LogOut,
  MessageSquare,
  Minus,
  Moon,
  Package,
  PackageX,
  Paperclip,
  Pause,
  Pencil,
  Play,
  Plug,
  Plus,
  Reply,
  RotateCw,
  Scissors,
  Search,
  Settings,
  Shield,
  ShieldX,
  Sprout,
  Square,
  SquareStack,
  SquareTerminal,
  Sun,
  Tag,
  Trash2,
  TriangleAlert,
  Unlink,
  Upload,
  User,
  Workflow,
  Wrench,
  X,
  ZoomIn,
  type IconNode,
} from 'lucide'
import { iconPath } from './icon-path'

export const icons = {
  activity: Activity,
  'arrow-left': ArrowLeft,
  'arrow-left-right': ArrowLeftRight,
  'arrow-up': ArrowUp,
  ban: Ban,
  bell: Bell,
  box: Box,
  check: Check,
  'chevron-down': ChevronDown,
  'chevron-right': ChevronRight,
  'circle-check': CircleCheck,
  'circle-dashed': CircleDashed,
  'circle-dot': CircleDot,
  'circle-help': CircleQuestionMark,
  'circle-x': CircleX,
  clock: Clock,
  commit: GitCommitHorizontal,
  copy: Copy,
  cpu: Cpu,
  database: Database,
  ellipsis: Ellipsis,
  'external-link': ExternalLink,
  eye: Eye,
  file: File,
  'file-text': FileText,
  filter: ListFilter,
  folder: FolderGit2,
  'git-branch': GitBranch,
  'git-merge': GitMerge,
  'git-pull-request': GitPullRequest,
  globe: Globe,
  'hard-drive': HardDrive,
  image: Image,
  inbox: Inbox,
  info: Info,
  key: KeyRound,
  keyboard: Keyboard,
  link: Link,
  list: List,
  lock: Lock,
  'log-out': LogOut,
  message: MessageSquare,
  minus: Minus,
  moon: Moon,
  package: Package,
  'package-x': PackageX,
  paperclip: Paperclip,
  pause: Pause,
  pencil: Pencil,
  play: Play,
  plug: Plug,
  plus: Plus,
  reply: Reply,
  restore: SquareStack,
  retry: RotateCw,
  scissors: Scissors,
  search: Search,
  settings: Settings,
  shield: Shield,
  'shield-x': ShieldX,
  sprout: Sprout,
  square: Square,
  sun: Sun,
  tag: Tag,
  terminal: SquareTerminal,
  trash: Trash2,
  unlink: Unlink,
  upload: Upload,
  user: User,
  warning: TriangleAlert,
  workflow: Workflow,
  wrench: Wrench,
  x: X,
  'zoom-in': ZoomIn,
} as const satisfies Record<string, IconNode>

export type IconName = keyof typeof icons

export interface IconProps {
  readonly name: IconName
  /** Pixels at text scale 1; icons beside text are 14. */
  readonly size?: number
  readonly className?: string | undefined
}

const paths = new Map<IconName, string>()

/** Made once an icon is needed: a window shows a dozen of them. */
function pathOf(name: IconName): string {
  const made = paths.get(name) ?? iconPath(icons[name])
  paths.set(name, made)
  return made
}

/** A picture beside words; screen readers get the words only. */
export function Icon({ name, size = 14, className }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      <path d={pathOf(name)} />
    </svg>
  )
}
