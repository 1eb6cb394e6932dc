#!/bin/sh
# Installs agent CLIs into a folder of their own. PACKAGES: what to install, with versions; PROGRAMS: what must answer
# then; REGISTRY and PROXY: how the computer that builds reaches the registry, empty where nothing is special.
set -eu
folder=$1
certificates=$(dirname "$0")/host-certificates.pem

command -v npm > /dev/null 2>&1 || {
  echo "alfred: there is no npm to install agent CLIs with: install npm beside Node on this computer"
  exit 1
}
[ ! -s "$certificates" ] || export NODE_EXTRA_CA_CERTS="$certificates"
[ -z "${REGISTRY:-}" ] || export npm_config_registry="$REGISTRY"
[ -z "${PROXY:-}" ] || export npm_config_https_proxy="$PROXY" npm_config_proxy="$PROXY"

# The names stand alone on purpose: several words.
# shellcheck disable=SC2086
npm install --global --prefix "$folder" --cache /tmp/npm --no-audit --no-fund --no-update-notifier $PACKAGES
rm -rf /tmp/npm
# Copilot unpacks itself at its first start, some 240 MB: once, here, and not again in every container.
export COPILOT_PKG_CACHE_HOME="$folder/share/copilot"
for program in $PROGRAMS; do
  version=$("$folder/bin/$program" --version)
  echo "alfred: $program $version"
done
# Whoever a run's user is must be able to read and start them.
chmod -R a+rX "$folder"
