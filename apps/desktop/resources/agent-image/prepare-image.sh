#!/bin/sh
# Runs once, as root, while the image is built: what an agent needs and the base may lack.
set -eu

say() { echo "alfred: $*"; }
lacks() { ! command -v "$1" > /dev/null 2>&1; }

install_packages() {
  if ! lacks apt-get; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" && rm -rf /var/lib/apt/lists/*
  elif ! lacks microdnf; then microdnf install -y "$@" && microdnf clean all
  elif ! lacks dnf; then dnf install -y -q "$@" && dnf clean all
  elif ! lacks yum; then yum install -y -q "$@" && yum clean all
  elif ! lacks zypper; then zypper --non-interactive install "$@" && zypper clean
  elif ! lacks pacman; then pacman -Sy --noconfirm "$@"
  else
    say "the base has no package manager that is known here"
    return 1
  fi
}

if lacks git; then
  say "installing git"
  install_packages git ca-certificates || {
    say "git is missing in the base and could not be installed: use a base that has it"
    exit 1
  }
fi

for program in base64 xargs stat mktemp; do
  ! lacks "$program" || say "the base lacks $program; what an agent leaves uncommitted may not be kept"
done

if lacks node; then
  node=/opt/alfred/node
  if "$node/bin/node" --version > /dev/null 2>&1; then
    ln -s "$node/bin/node" /usr/local/bin/node
  elif LD_LIBRARY_PATH="$node/lib" "$node/bin/node" --version > /dev/null 2>&1; then
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$node/lib" "$node/bin/node" > /usr/local/bin/node
    chmod 755 /usr/local/bin/node
  else
    say "Node does not run on this base: it needs a base with glibc 2.28 or later"
    exit 1
  fi
fi
say "git $(git --version | cut -d' ' -f3), node $(node --version)"

printf '#!/bin/sh\nexec node /opt/alfred/demo-agent/alfred-demo-agent.mjs "$@"\n' > /usr/local/bin/alfred-demo-agent
chmod 755 /usr/local/bin/alfred-demo-agent
chmod -R a+rX /opt/alfred

# The user of a run is mounted over these; a person who looks into the image by hand finds the usual one.
if grep -q '^[^:]*:[^:]*:1000:' /etc/passwd; then
  sed -i 's#^[^:]*:\([^:]*\):1000:\([0-9]*\):.*#agent:\1:1000:\2:agent:/home/agent:/bin/sh#' /etc/passwd
else
  echo 'agent:x:1000:1000:agent:/home/agent:/bin/sh' >> /etc/passwd
fi
if grep -q '^[^:]*:[^:]*:1000:' /etc/group; then
  sed -i 's#^[^:]*:\([^:]*\):1000:#agent:\1:1000:#' /etc/group
else
  echo 'agent:x:1000:' >> /etc/group
fi
mkdir -p /home/agent /workspace
chown 1000:1000 /home/agent /workspace
chmod 700 /home/agent
