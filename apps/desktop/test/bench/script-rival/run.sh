#!/bin/sh
# The rival of a run: its steps as a plain script. Arguments: FOLDER BRANCH BASE, then the words of `docker run`.
set -eu
folder=$1 ref=refs/heads/$2 base=$3
shift 3
docker run "$@"
cd "$folder"
# before 2.46 git checks nothing that it fetches from a bundle, so it goes through a repository in between
git init -q --bare quarantine.git
echo "$folder/repo.git/objects" > quarantine.git/objects/info/alternates
git -C quarantine.git fetch -q "$folder/out/commits.bundle" "$ref:$ref"
git -C quarantine.git merge-base --is-ancestor "$base" "$ref"
git -C repo.git -c fetch.fsckObjects=true fetch -q "file://$folder/quarantine.git" "$ref:$ref"
rm -rf quarantine.git
