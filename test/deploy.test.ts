import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readConfig } from "../server/config/read-config.ts";

/*
 * Reads the deployment examples as Compose and Kubernetes do, as far as possible without them, and
 * checks that the server accepts their environment.
 */

const read = (path: string): string => readFileSync(join(import.meta.dir, "..", path), "utf8");

/** Values that an operator sets. */
const FILLED: Readonly<Record<string, string>> = {
  SITE: "files.example.com",
  AUTH_SECRET: "q8Zr2LxV0nTf5KyWc7HdJm3PbSgA9uEo",
  ADMIN_EMAIL: "ada@example.com",
  ADMIN_PASSWORD: "correct horse battery",
  POSTGRES_PASSWORD: "pg0123",
  S3_SECRET_ACCESS_KEY: "s30123",
  REDIS_PASSWORD: "redis0123",
};

/** Interpolates variables as Compose does, with defaults and errors for missing ones. */
const filled = (text: string, values = FILLED): string =>
  text.replace(/\$\{(\w+)(?:(:[?-])([^}]*))?\}/g, (_, name: string, kind = "", rest = "") => {
    if (kind === ":?" && values[name] === undefined) throw new Error(`${name} is missing: ${rest}`);
    return values[name] ?? (kind === ":-" ? rest : "");
  });

const compose = z.strictObject({
  services: z.record(
    z.string(),
    z.looseObject({
      environment: z.record(z.string(), z.string()).default({}),
      volumes: z.array(z.string()).default([]),
      depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).default([]),
      configs: z.array(z.looseObject({ source: z.string() })).default([]),
    }),
  ),
  configs: z.record(z.string(), z.strictObject({ content: z.string() })).default({}),
  volumes: z.record(z.string(), z.null()).default({}),
  networks: z.record(z.string(), z.unknown()).default({}),
});

/** Variables may appear only in values. */
const parseCompose = (path: string) =>
  compose.parse(JSON.parse(filled(JSON.stringify(Bun.YAML.parse(read(path))))));

test.each(["compose.yaml", "compose.full.yaml"])("%s is valid and complete", (path) => {
  const { services, configs, volumes } = parseCompose(path);
  for (const service of Object.values(services)) {
    const { depends_on: needed } = service;
    for (const name of Array.isArray(needed) ? needed : Object.keys(needed)) {
      expect(Object.keys(services)).toContain(name);
    }
    for (const volume of service.volumes) {
      const [source = ""] = volume.split(":");
      if (source.startsWith("./")) expect(read(source).length).toBeGreaterThan(0);
      else expect(Object.keys(volumes)).toContain(source);
    }
    for (const { source } of service.configs) expect(Object.keys(configs)).toContain(source);
  }
});

test("the servers of compose.full.yaml accept their environment and trust the proxy's network", () => {
  const { services, configs, networks } = parseCompose("compose.full.yaml");
  const config = readConfig({ ...services.holdall?.environment, NODE_ENV: "production" });
  expect(config).toMatchObject({
    catalog: { settings: { url: "postgres://holdall:pg0123@postgres:5432/holdall" } },
    blobs: {
      settings: { endpoint: "http://s3:8333", bucket: "holdall", secretAccessKey: "s30123" },
    },
    redis: { url: "redis://:redis0123@redis:6379" },
    publicUrl: "https://files.example.com",
  });
  expect(JSON.stringify(networks)).toContain(`"subnet":"${config.trustedProxies[0]}"`);
  expect(JSON.parse(configs.s3?.content ?? "")).toMatchObject({
    identities: [{ credentials: [{ accessKey: "holdall", secretKey: "s30123" }] }],
  });
});

test("compose.full.yaml requires exactly the variables of its example", () => {
  const named = read("deploy/full.env.example").match(/^\w+(?==)/gm) ?? [];
  const asked = [...read("compose.full.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(asked.filter((name) => name !== undefined)));
  for (const name of named) {
    const { [name]: _, ...rest } = FILLED;
    expect(() => filled(read("compose.full.yaml"), rest)).toThrow(name);
  }
});

test.each(["kubernetes.yaml", "kubernetes-full.yaml"])(
  "deploy/%s is valid and complete",
  (path) => {
    const container = z.looseObject({
      env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
      volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.literal("/data") })),
      // The migration of a catalog of any size must end before the pod is restarted.
      startupProbe: z.looseObject({
        periodSeconds: z.number(),
        failureThreshold: z.number().min(1800),
      }),
    });
    const labels = z.strictObject({ app: z.literal("holdall") });
    const workload = z.looseObject({
      kind: z.enum(["Deployment", "StatefulSet"]),
      spec: z.looseObject({
        selector: z.strictObject({ matchLabels: labels }),
        template: z.strictObject({
          metadata: z.strictObject({ labels }),
          spec: z.looseObject({
            containers: z.array(container).length(1),
            volumes: z.array(z.looseObject({ name: z.string() })).default([]),
          }),
        }),
        volumeClaimTemplates: z
          .array(z.looseObject({ metadata: z.strictObject({ name: z.string() }) }))
          .default([]),
      }),
    });
    const objects = read(`deploy/${path}`)
      .split(/^---$/m)
      .map((text) =>
        z.looseObject({ kind: z.string(), spec: z.unknown() }).parse(Bun.YAML.parse(text)),
      );
    const [service] = objects.filter(({ kind }) => kind === "Service");
    expect(service?.spec).toMatchObject({ selector: { app: "holdall" } });
    const { spec } = workload.parse(objects.at(-1));
    const [only] = spec.template.spec.containers;
    const volumes = [
      ...spec.template.spec.volumes.map(({ name }) => name),
      ...spec.volumeClaimTemplates.map(({ metadata }) => metadata.name),
    ];
    expect(volumes).toEqual(only?.volumeMounts.map(({ name }) => name) ?? []);
    const env = Object.fromEntries(only?.env.map(({ name, value }) => [name, value]) ?? []);
    const secret = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };
    expect(readConfig({ ...env, ...secret }).publicUrl).toBe("https://files.example.com");
  },
);

test.each(["Dockerfile", "deploy/holdall.service"])(
  "%s sets the same runtime variables as npm start",
  (path) => {
    const settings = [...read("scripts/runtime-settings.mjs").matchAll(/^ {2}(\w+): "(.*)",$/gm)];
    expect(settings).toHaveLength(4);
    for (const [, name, value] of settings) {
      expect(read(path)).toMatch(new RegExp(`\\b${name}=${value}(\\s|$)`));
    }
  },
);
