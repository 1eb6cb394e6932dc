/*
 * What the server's hooks say to git. The request's own facts come as FORGE_* in the environment, so that the
 * hooks of all repositories are alike.
 */

const refuse = `refuse() {
  if [ "$FORGE_IS_FORGEJO" = 1 ]; then
    printf '\\nForgejo: %s\\n' "$1" >&2
  else
    printf '\\nerror:\\nerror: %s\\nerror:\\n' "$1" >&2
  fi
  exit 1
}`

const preReceive = `#!/bin/sh
${refuse}
zero=0000000000000000000000000000000000000000
while read -r old new ref; do
  [ "$FORGE_MAY_WRITE" = 1 ] || refuse 'User permission denied for writing.'
  branch=\${ref#refs/heads/}
  [ "$branch" = "$ref" ] && continue
  if [ "$new" = "$zero" ] && [ "$branch" = "$FORGE_DEFAULT_BRANCH" ]; then
    refuse "branch $branch is the default branch and cannot be deleted"
  fi
  # Patterns of protected branches, one a line; the shell matches them.
  while read -r rule; do
    [ -z "$rule" ] && continue
    case "$branch" in
      $rule) refuse "Not allowed to push to protected branch $branch" ;;
    esac
  done <<RULES
$FORGE_PROTECTED
RULES
  if [ -n "$FORGE_REFUSAL" ]; then refuse "$FORGE_REFUSAL"; fi
done
exit 0
`

const update = `#!/bin/sh
case "$1" in
  refs/pull/*)
    if [ "$FORGE_IS_FORGEJO" = 1 ]; then
      printf "\\nForgejo: The modification of %s is skipped as it's an internal reference.\\n" "$1" >&2
    fi
    exit 1
    ;;
esac
exit 0
`

const postReceive = `#!/bin/sh
zero=0000000000000000000000000000000000000000
count=0
dots=
while read -r old new ref; do
  count=$((count + 1))
  dots="$dots."
  branch=\${ref#refs/heads/}
  [ "$branch" = "$ref" ] && continue
  [ "$new" = "$zero" ] && continue
  [ "$branch" = "$FORGE_DEFAULT_BRANCH" ] && continue
  [ "$FORGE_WAS_EMPTY" = 1 ] && continue
  number=$(printf '%s\\n' "$FORGE_PULLS" | while read -r each of; do [ "$of" = "$branch" ] && echo "$each" && break; done)
  if [ -n "$number" ]; then
    printf '\\nVisit the existing pull request:\\n  %s/pulls/%s\\n\\n' "$FORGE_PAGE" "$number" >&2
  else
    printf "\\nCreate a new pull request for '%s':\\n  %s%s\\n\\n" "$branch" "$FORGE_NEW_PULL" "$branch" >&2
  fi
done
if [ "$FORGE_IS_FORGEJO" != 1 ]; then
  printf '%s Processing %s references\\nProcessed %s references in total\\n' "$dots" "$count" "$count" >&2
fi
exit 0
`

export const hooks: Readonly<Record<string, string>> = {
  'pre-receive': preReceive,
  update,
  'post-receive': postReceive,
}
