import "server-only";
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { env } from "@/lib/env";
import { CONTAINER_DRIVER } from "@/lib/runtime/python/container-driver.mjs";
import { PRELUDE } from "@/lib/runtime/python/prelude.mjs";
import type { LimitedProcess } from "@/lib/runtime/sandbox/run-limited-child";

/** The folder that a guest's code works in. */
const FOLDER = "/work";
/** What it may write there and in `/tmp`, which count in its memory. */
const FOLDER_MAX = "256m";
const MEMORY_MAX = "1g";
const PROCESSES_MAX = 64;
/** Nobody. */
const USER = "65534:65534";
const SAID_MAX_CHARACTERS = 2_048;
/** Where a runtime's program looks for others. */
const PROGRAMS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

interface ContainerSettings {
  /** `docker`, `podman`, or another program that takes the same words. */
  runtime: string;
  image: string;
  /** Of its daemon; empty: where the runtime itself looks for it. */
  host: string;
}

/** Null where the operator has named none, which is so at first. */
export function containerSettings(): ContainerSettings | null {
  const {
    PYTHON_CONTAINER_RUNTIME: runtime,
    PYTHON_CONTAINER_IMAGE: image,
    PYTHON_CONTAINER_HOST: host,
  } = env();
  return runtime === "" || image === "" ? null : { runtime, image, host };
}

/**
 * Begins Python in a container of its own: no network, nothing of the machine, a file system that
 * is read only but for its folder, no capabilities, bounds of memory, processes and cores. It is
 * removed when the process that speaks for it ends; where the service dies before it has that done,
 * the container ends itself (`container-driver.mjs`).
 */
export function containerProcess({ runtime, image, host }: ContainerSettings): {
  child: LimitedProcess;
  /** The end of what it, or its runtime, has said beside its frames: why it did not begin. */
  said(): string;
} {
  const name = `lathe-python-${randomUUID()}`;
  const options = { env: environmentFor(host) };
  const child = spawn(
    runtime,
    [
      ...["run", "--rm", "--interactive", "--name", name, "--pull", "never", "--network", "none"],
      // All that is said stands there else: the run's files and results, without a bound.
      ...["--log-driver", "none"],
      ...["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
      ...["--user", USER, "--memory", MEMORY_MAX, "--memory-swap", MEMORY_MAX],
      ...["--pids-limit", String(PROCESSES_MAX), "--cpus", "1"],
      ...["--tmpfs", `${FOLDER}:rw,mode=1777,size=${FOLDER_MAX}`],
      ...["--tmpfs", `/tmp:rw,mode=1777,size=${FOLDER_MAX}`],
      // What packages keep at home is no file of the run.
      ...["--env", "HOME=/tmp", "--env", "MPLBACKEND=agg", "--env", "TZ=UTC"],
      // It has one core, whatever the machine has.
      ...["--env", "OPENBLAS_NUM_THREADS=1", "--env", "OMP_NUM_THREADS=1"],
      ...["--workdir", FOLDER, "--entrypoint", "python3", image],
      ...["-c", CONTAINER_DRIVER, PRELUDE, FOLDER],
    ],
    { env: options.env, stdio: ["pipe", "pipe", "pipe"] },
  );
  // To kill the program that speaks for it leaves the container at work, or made and not begun.
  child.on("exit", () => execFile(runtime, ["rm", "--force", name], options, () => {}));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-SAID_MAX_CHARACTERS);
  });
  child.on("error", ({ message }) => {
    said = message;
  });
  return { child, said: () => said.trim() };
}

/**
 * What the runtime's program needs to find its daemon, and nothing of the service's environment.
 */
function environmentFor(host: string): NodeJS.ProcessEnv {
  const uid = process.getuid?.();
  return {
    ...{ NODE_ENV: "production", PATH: PROGRAMS, HOME: home() },
    ...(uid !== undefined && { XDG_RUNTIME_DIR: `/run/user/${uid}` }),
    ...(host !== "" && { DOCKER_HOST: host, CONTAINER_HOST: host }),
  };
}

/** Of whom the service is. In an image of its own they may have neither a name nor a home. */
function home(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}
