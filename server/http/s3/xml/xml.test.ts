import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { childrenOf, childText, type XmlElement } from "../../../runtime/xml.ts";
import { ANYTHING } from "./document-shape.ts";
import { readXml } from "./read-xml.ts";
import { writeXml } from "./write-xml.ts";

async function* bytesOf(text: string | Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

const read = (text: string | Uint8Array, root = "Delete"): Promise<XmlElement> =>
  readXml(bytesOf(text), root, ANYTHING);

describe("readXml", () => {
  test("reads a list of objects", async () => {
    const element = await read(`\ufeff<?xml version="1.0" encoding="UTF-8"?>
      <Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        <Object><Key>a&amp;b &#x20AC;</Key></Object>
        <Quiet>true</Quiet>
        <Object><Key><![CDATA[<x>]]></Key><VersionId></VersionId></Object>
      </Delete>`);
    expect(childText(element, "Quiet")).toBe("true");
    expect(childText(element, "Nothing")).toBeUndefined();
    const objects = childrenOf(element, "Object");
    expect(objects.map((object) => childText(object, "Key"))).toEqual(["a&b €", "<x>"]);
    expect(objects.map((object) => childText(object, "VersionId"))).toEqual([undefined, ""]);
  });

  test("ignores prefixes of namespaces and the prototype of objects", async () => {
    const element = await read(
      '<s3:Delete xmlns:s3="x"><s3:Quiet a="1">t</s3:Quiet><__proto__><Key>k</Key></__proto__></s3:Delete>',
    );
    expect(childText(element, "Quiet")).toBe("t");
    expect(childText(element, "Key")).toBeUndefined();
    expect(childrenOf(element, "__proto__")).toHaveLength(1);
  });

  const entities = `<!ENTITY a "${"b".repeat(100)}">`;
  test.each([
    "",
    "text",
    "<Delete>",
    "<Delete></Other>",
    "<Other/>",
    "<Delete/><Delete/>",
    "<Delete>&unknown;</Delete>",
    "<Delete>&#0;</Delete>",
    `<!DOCTYPE Delete [${entities}]><Delete>&a;</Delete>`,
    "<!doctype Delete><Delete/>",
    '<!DOCTYPE Delete SYSTEM "file:///etc/passwd"><Delete/>',
    `${"<Delete>".repeat(30)}${"</Delete>".repeat(30)}`,
    `${"<Delete>".repeat(200_000)}`,
    `${"<Delete>".repeat(100_000)}${"</Delete>".repeat(100_000)}`,
    `<Delete>${"x".repeat(2 * 1024 * 1024)}</Delete>`,
    Buffer.from([...Buffer.from("<Delete>"), 0xff, ...Buffer.from("</Delete>")]),
    Buffer.from("<Delete/>", "utf16le"),
  ])("refuses document %#", async (document) => {
    const error = await read(document).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(S3Fault);
    expect(error.s3Code).toBe("MalformedXML");
  });

  test("reads or refuses whatever it gets", async () => {
    const token = fc.constantFrom(
      ...["<Delete>", "</Delete>", "<a>", "</a>", "<a/>", "&amp;", "&lt", "<!--", "-->", "]]>"],
      ...["<![CDATA[", "<?x ?>", "text", '<a b="c">', "\u0000", "ä"],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(token), async (tokens) => {
        const result = await read(`<Delete>${tokens.join("")}</Delete>`).catch((error) => error);
        if (result instanceof Error) expect(result).toBeInstanceOf(S3Fault);
        else expect(result.name).toBe("Delete");
      }),
    );
  });
});

describe("writeXml", () => {
  test("writes elements in their order, with attributes and lists", () => {
    expect(
      writeXml("ListBucketResult", {
        Name: "b",
        Prefix: "",
        Marker: undefined,
        Delimiter: null,
        IsTruncated: false,
        Contents: [{ Key: "a&b<c>", Size: 1 }, { Key: "\n" }],
        Grantee: { "@xmlns:xsi": "x", "@xsi:type": "Group", URI: "u" },
        CommonPrefixes: [],
      }),
    ).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix></Prefix><IsTruncated>false</IsTruncated><Contents><Key>a&amp;b&lt;c&gt;</Key><Size>1</Size></Contents><Contents><Key>&#10;</Key></Contents><Grantee xmlns:xsi="x" xsi:type="Group"><URI>u</URI></Grantee></ListBucketResult>',
    );
    expect(writeXml("Error", { Code: "x" }, "")).toEndWith("<Error><Code>x</Code></Error>");
  });

  test("is read back as it was, for any text that XML can have", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "binary" })), async (keys) => {
        const element = await read(writeXml("Delete", { Key: keys }));
        const allowed = keys.map((key) =>
          key.replace(/[\ufffe\uffff]|(?![\t\n\r\x7f-\x9f])\p{Cc}/gu, "\ufffd"),
        );
        expect(childrenOf(element, "Key").map(({ text }) => text)).toEqual(allowed);
      }),
    );
  });
});
