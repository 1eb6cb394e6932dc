# What the rival does inside the container: clone, the CLI ("$@"), bundle.
set -eu
cd /workspace
git init -q
git fetch -q /alfred/repo.git '+refs/remotes/origin/*:refs/remotes/origin/*'
git checkout -q -b "$ALFRED_BRANCH" "$ALFRED_BASE"
for word in ${ALFRED_HOME_FILES:-}; do
  target=$HOME/${word#*=}
  mkdir -p "${target%/*}"
  cp "/alfred/in/${word%%=*}" "$target"
done
code=0
"$@" < /alfred/in/prompt > /alfred/out/stream.out 2> /alfred/out/stream.err || code=$?
git bundle create -q /alfred/out/commits.bundle "$ALFRED_BASE..refs/heads/$ALFRED_BRANCH"
exit $code
