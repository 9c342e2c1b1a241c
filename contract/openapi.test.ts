import { describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import manifest from "../package.json" with { type: "json" };
import { openApiDocument, openApiText, TAGS } from "./openapi.ts";
import { type Operation, successStatus } from "./operation.ts";
import { operations } from "./operations.ts";

type Json = { [key: string]: Json };

// Clients get JSON, so test what is left after a round trip.
const read = (): Json => JSON.parse(JSON.stringify(openApiDocument({ version: "1.2.3" })));
const document = read();

function* objects(value: unknown): Generator<Record<string, unknown>> {
  if (Array.isArray(value)) for (const item of value) yield* objects(item);
  else if (typeof value === "object" && value !== null) {
    yield { ...value };
    yield* objects(Object.values(value));
  }
}

/** A component, with what stands beside the reference to it. */
const resolve = (value: Json | undefined): Json => {
  const [, , kind = "", name = ""] = String(value?.$ref ?? "").split("/");
  return { ...document.components?.[kind]?.[name], ...value };
};

const described = (operation: Operation): Json => {
  const path = document.paths?.[operation.path.replace("*}", "}")];
  return path?.[operation.method.toLowerCase()] ?? {};
};

const every = Object.values<Operation>(operations);
const each = every.map((operation) => [operation.id, operation] as const);

describe("the OpenAPI document", () => {
  test("satisfies the schema of OpenAPI 3.1", async () => {
    const validator = new Validator();
    const result = await validator.validate(read());
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  test("contains the version of the service", () => {
    expect(document.info).toMatchObject({ title: "Holdall", version: "1.2.3" });
  });

  test("has no dangling references", () => {
    const references = [...objects(document)].flatMap(({ $ref }) =>
      typeof $ref === "string" ? [$ref] : [],
    );
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) {
      expect(reference).toStartWith("#/components/");
      let place: unknown = document;
      for (const step of reference.slice(2).split("/")) place = Object(place)[step];
      expect(place, reference).toBeDefined();
    }
  });

  test("contains no keywords of the generator", () => {
    const keys = [...objects(document)].flatMap((object) => Object.keys(object));
    expect(keys).not.toContain("override");
    expect(keys).not.toContain("$defs");
    expect(keys).not.toContain("$schema");
  });

  test("gives every operation a unique id and a described tag", () => {
    const ids = Object.values(document.paths ?? {}).flatMap((path) =>
      Object.values(path).map(({ operationId }) => String(operationId)),
    );
    expect(ids.toSorted()).toEqual(every.map(({ id }): string => id).toSorted());
    expect(new Set(every.map(({ tag }) => tag))).toEqual(new Set(TAGS.map(({ name }) => name)));
  });

  test("describes the fields of every kind of request and response", () => {
    expect(document.components?.schemas?.File?.properties).toContainKeys(["id", "key", "url"]);
    expect(described(operations.uploadFiles).requestBody?.content).toContainKey(
      "multipart/form-data",
    );
    const parameters = Object.values(described(operations.listFiles).parameters ?? {});
    const resolved: unknown[] = parameters.map(resolve);
    expect(resolved).toContainEqual({
      $ref: expect.any(String),
      name: "limit",
      in: "query",
      description: expect.any(String),
      schema: { type: "integer", minimum: 0 },
    });
  });
});

describe.each(each)("%s in the document", (_, operation) => {
  const { responses = {}, parameters = {}, security = document.security } = described(operation);

  test("declares its path parameters", () => {
    const declared = Object.values(parameters)
      .map(resolve)
      .filter((parameter) => String(parameter.in) === "path");
    const inPath = [...operation.path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => name);
    expect(declared.map(({ name }) => String(name))).toEqual(inPath.map(String));
  });

  test("declares the credentials that it accepts", () => {
    const schemes = Object.values(security ?? {}).flatMap((choice) => Object.keys(choice));
    expect(schemes.includes("apiKey")).toBe(["caller", "reader"].includes(operation.access));
    expect(schemes.includes("session")).toBe(!["anyone", "token"].includes(operation.access));
  });

  test("describes every status", () => {
    for (const response of Object.values(responses)) {
      expect(resolve(response).description).toBeTruthy();
    }
    const statuses = Object.keys(responses);
    expect(statuses).toContainValues([`${successStatus(operation)}`, "default"]);
    expect(statuses).toContainValues(Object.keys(operation.errors));
    if (["caller", "account"].includes(operation.access)) expect(statuses).toContain("401");
    const others = resolve(responses.default);
    for (const status of [405, 429, 500, 503]) {
      expect(String(others.description)).toContain(`${status}: `);
    }
    expect(others.headers).toContainKey("Retry-After");
  });

  if ("file" in operation.response) {
    test("describes ranges and conditions", () => {
      expect(Object.keys(responses)).toContainValues(["206", "304", "416"]);
      const [range, notModified, outside] = [206, 304, 416].map((status) =>
        resolve(responses[status]),
      );
      expect(range?.headers).toContainKeys(["Content-Range", "Accept-Ranges", "ETag"]);
      expect(outside?.headers).toContainKey("Content-Range");
      expect(notModified?.description).toBeTruthy();
      expect(notModified).not.toContainKey("content");
    });
  }
});

test("openapi.json stays small: tools read it whole", () => {
  expect(Buffer.byteLength(openApiText(manifest))).toBeLessThan(317_000);
});

test("openapi.json is up to date: `npm run generate` writes it", async () => {
  const inTree = await Bun.file(new URL("../openapi.json", import.meta.url)).text();
  expect(inTree === openApiText(manifest)).toBe(true);
});
