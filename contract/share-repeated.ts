/*
 * Parts of the OpenAPI document that are written once and referred to: parameters, request bodies,
 * headers and responses that several operations have.
 */

type Json = Readonly<Record<string, unknown>>;

/** Paths, by path and method, of an OpenAPI document. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>;

interface Shared {
  readonly paths: Paths;
  /** To be added to `components`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requestBodies: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Refers to everything that occurs more than once. The names of the components say what they are. */
export function shareRepeated(paths: Paths): Shared {
  const headers = createPool("headers");
  const parameters = createPool("parameters");
  const requestBodies = createPool("requestBodies");
  const responses = createPool("responses");
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const operation of operations) {
    for (const each of listOf(operation.parameters)) parameters.count(each);
    if (operation.requestBody !== undefined) requestBodies.count(operation.requestBody);
    for (const response of Object.values(objectOf(operation.responses))) {
      for (const header of Object.values(objectOf(objectOf(response).headers)))
        headers.count(header);
      responses.count(response);
    }
  }
  const withHeaders = (response: unknown): unknown => {
    const given = objectOf(objectOf(response).headers);
    if (Object.keys(given).length === 0) return response;
    const shared = mapValues(given, (header, name) => headers.share(header, name));
    return { ...objectOf(response), headers: shared };
  };
  const share = (operation: Json): Json => ({
    ...operation,
    ...(operation.parameters === undefined
      ? {}
      : {
          parameters: listOf(operation.parameters).map((each) =>
            parameters.share(each, String(objectOf(each).name)),
          ),
        }),
    ...(operation.requestBody === undefined
      ? {}
      : { requestBody: requestBodies.share(operation.requestBody, String(operation.operationId)) }),
    responses: mapValues(objectOf(operation.responses), (response, status) =>
      responses.share(
        response,
        Number(status) < 400 ? `${String(operation.operationId)}${status}` : `C${status}`,
        withHeaders,
      ),
    ),
  });
  return {
    paths: mapValues(paths, (methods) => mapValues(methods, share)),
    parameters: parameters.components,
    requestBodies: requestBodies.components,
    headers: headers.components,
    responses: responses.components,
  };
}

/** Shorter ones are not worth a reference. */
const MIN_LENGTH = 80;

function createPool(kind: string) {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  const components: Record<string, unknown> = {};
  return {
    components,
    count(value: unknown): void {
      const text = JSON.stringify(value);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    },
    /** A reference to the value, or itself. `wanted`: its name, to which a number is added if it is taken. */
    share(value: unknown, wanted: string, finish = (each: unknown): unknown => each): unknown {
      const text = JSON.stringify(value);
      const isRepeated = (counts.get(text) ?? 0) > 1;
      if (!isRepeated || text.length < MIN_LENGTH) return finish(value);
      let name = names.get(text);
      if (name === undefined) {
        name = wanted;
        for (let number = 2; name in components; number += 1) name = `${wanted}-${number}`;
        names.set(text, name);
        components[name] = finish(value);
      }
      return { $ref: `#/components/${kind}/${name}` };
    },
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const mapValues = <T, R>(
  object: Readonly<Record<string, T>>,
  change: (value: T, name: string) => R,
): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
