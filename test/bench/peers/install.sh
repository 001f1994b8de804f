#!/bin/sh
# Installs the engines that `pnpm bench peers` compares wf with, as far as this machine can:
# Debian's snakemake, make and ninja (as root), Parsl and Snakemake's HTCondor plugin from the Python package index,
# Nextflow from Maven.
set -u
cd "$(dirname "$0")/../../.." || exit 1
peers=.setup/peers
mkdir -p "$peers"

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get install -y -qq --no-install-recommends snakemake-core ninja-build make >/dev/null ||
    apt-get install -y -qq --no-install-recommends snakemake ninja-build make >/dev/null
fi

[ -x "$peers/parsl/bin/python" ] || {
  python3 -m venv "$peers/parsl" && "$peers/parsl/bin/pip" install --quiet parsl
}

[ -x "$peers/snakemake-htcondor/bin/snakemake" ] || {
  python3 -m venv "$peers/snakemake-htcondor" &&
    "$peers/snakemake-htcondor/bin/pip" install --quiet snakemake snakemake-executor-plugin-htcondor
}

if command -v mvn >/dev/null && [ ! -s "$peers/nextflow.classpath" ]; then
  mkdir -p "$peers/nextflow"
  cat >"$peers/nextflow/pom.xml" <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>wf</groupId><artifactId>peers</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>io.nextflow</groupId><artifactId>nextflow</artifactId><version>24.10.0</version></dependency>
  </dependencies>
</project>
POM
  (cd "$peers/nextflow" && mvn -q dependency:build-classpath -Dmdep.outputFile=../nextflow.classpath)
fi

for program in make ninja snakemake "$peers/parsl/bin/python" "$peers/snakemake-htcondor/bin/snakemake"; do
  command -v "$program" >/dev/null && echo "there:   $program" || echo "missing: $program"
done
[ -s "$peers/nextflow.classpath" ] && echo "there:   nextflow" || echo "missing: nextflow (needs Maven and Java)"
