/** The bow tie. */
export function BrandMark({ size = 20 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill="currentColor"
      className="text-accent"
    >
      <path d="M2.5 6.2c0-.8.9-1.3 1.6-.9L9.5 8.7v6.6l-5.4 3.4c-.7.4-1.6-.1-1.6-.9z" />
      <path d="M21.5 6.2c0-.8-.9-1.3-1.6-.9l-5.4 3.4v6.6l5.4 3.4c.7.4 1.6-.1 1.6-.9z" />
      <rect x="10.3" y="8.9" width="3.4" height="6.2" rx="1.2" />
    </svg>
  )
}
