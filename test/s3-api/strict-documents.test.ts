import { afterAll, expect, test } from "bun:test";
import { unique } from "../client.ts";
import { rawRequest } from "../raw.ts";
import { startS3Server } from "./s3-server.fixture.ts";
import { bytesOf, signHeader } from "./sign-request.ts";

const server = await startS3Server();
afterAll(() => server.discard());

async function send(method: string, path: string, query = "", body = "") {
  const headers = { host: `127.0.0.1:${server.port}` };
  const draft = { method, path, query, body: Buffer.from(body), headers };
  const answer = await rawRequest(server.port, bytesOf(signHeader(draft, server.credentials)));
  return { ...answer, code: /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1] };
}

async function bucketWithObject(): Promise<string> {
  const bucket = `/${unique("bucket")}`;
  await send("PUT", bucket);
  await send("PUT", `${bucket}/a`, "", "1234");
  return bucket;
}

const rule = (inside: string): string =>
  `<LifecycleConfiguration><Rule><Status>Enabled</Status>${inside}</Rule></LifecycleConfiguration>`;
const DAYS = "<Expiration><Days>5</Days></Expiration>";

test.each([
  ["an unknown condition", '<Object><Key>a</Key><Etag>"x"</Etag></Object>'],
  ["another condition in lower case", "<Object><Key>a</Key><size>999</size></Object>"],
  ["two sizes", "<Object><Key>a</Key><Size>4</Size><Size>999</Size></Object>"],
  ["two keys", "<Object><Key>a</Key><Key>b</Key></Object>"],
  ["an element inside a key", "<Object><Key>a<b/></Key></Object>"],
  ["a condition outside of its object", '<ETag>"x"</ETag><Object><Key>a</Key></Object>'],
  ["a version with another spelling", "<Object><Key>a</Key><VersionID>x</VersionID></Object>"],
  ["text", "not <Object><Key>a</Key></Object>"],
])("DeleteObjects with %s deletes nothing", async (_, objects) => {
  const bucket = await bucketWithObject();
  const { status, code } = await send(
    "POST",
    bucket,
    "delete=",
    `<Delete><Object><Key>none</Key></Object>${objects}</Delete>`,
  );
  expect([status, code]).toEqual([400, "MalformedXML"]);
  expect((await send("GET", `${bucket}/a`)).text).toBe("1234");
});

test.each([
  ["a prefix with another spelling", rule(`<Filter/><prefix>logs/</prefix>${DAYS}`)],
  ["two prefixes", rule(`<Filter><Prefix/><Prefix>logs/</Prefix></Filter>${DAYS}`)],
  ["a prefix as text of the filter", rule(`<Filter>logs/</Filter>${DAYS}`)],
  ["an element inside the prefix", rule(`<Filter><Prefix><p>logs/</p></Prefix></Filter>${DAYS}`)],
  [
    "a size outside of the filter",
    rule(`<Filter/><ObjectSizeGreaterThan>1</ObjectSizeGreaterThan>${DAYS}`),
  ],
  ["two lifetimes", rule(`<Filter/>${DAYS}<Expiration><Days>500</Days></Expiration>`)],
  ["two states", rule(`<Status>Disabled</Status><Filter/>${DAYS}`)],
])("a lifecycle rule with %s is refused", async (_, document) => {
  const bucket = await bucketWithObject();
  const { status, code } = await send("PUT", bucket, "lifecycle=", document);
  expect([status, code]).toEqual([400, "MalformedXML"]);
  expect((await send("GET", bucket, "lifecycle=")).status).toBe(404);
});

const ORIGIN = "<AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>";

test.each([
  ["publicAccessBlock", "PublicAccessBlockConfiguration", "<BlockPublicAcl>true</BlockPublicAcl>"],
  ["cors", "CORSConfiguration", `<CORSRule>${ORIGIN}<MaxAge>5</MaxAge></CORSRule>`],
  ["cors", "CORSConfiguration", `<CORSRule>${ORIGIN}</CORSRule><CorsRule/>`],
  ["acl", "AccessControlPolicy", "<AccessControllist/>"],
  ["tagging", "Tagging", "<TagSet><tag><Key>a</Key><Value>b</Value></tag></TagSet>"],
  ["versioning", "VersioningConfiguration", "<Status>Suspended</Status><Mfadelete/>"],
  [
    "ownershipControls",
    "OwnershipControls",
    "<Rule><ObjectOwnership>ObjectWriter</ObjectOwnership><ObjectOwnership/></Rule>",
  ],
])("the setting %s does not leave out elements of %s", async (setting, root, inside) => {
  const bucket = await bucketWithObject();
  const { status, code } = await send("PUT", bucket, `${setting}=`, `<${root}>${inside}</${root}>`);
  expect([status, code]).toEqual([400, "MalformedXML"]);
});

test("an upload is not completed if a checksum of a part has another spelling", async () => {
  const bucket = await bucketWithObject();
  const created = await send("POST", `${bucket}/a`, "uploads=");
  const id = /<UploadId>(.*)<\/UploadId>/.exec(created.text)?.[1] ?? "";
  const part = await send("PUT", `${bucket}/a`, `partNumber=1&uploadId=${id}`, "other");
  const document = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${part.header("etag")}</ETag>
    <ChecksumSha256>x</ChecksumSha256></Part></CompleteMultipartUpload>`;
  const { status, code } = await send("POST", `${bucket}/a`, `uploadId=${id}`, document);
  expect([status, code]).toEqual([400, "MalformedXML"]);
  expect((await send("GET", `${bucket}/a`)).text).toBe("1234");
});
