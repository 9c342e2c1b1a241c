import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createClientAddress, isProxyEntry, rateKey } from "./client-address.ts";

describe("the client's address", () => {
  const rows: [string[], string, string | null, string][] = [
    // Nobody is trusted: the header is nobody's word.
    [[], "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    [[], "::ffff:203.0.113.9", null, "203.0.113.9"],
    [["127.0.0.1"], "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    // A trusted proxy: the rightmost address that is not one.
    [["127.0.0.1"], "127.0.0.1", "198.51.100.1", "198.51.100.1"],
    [["127.0.0.1"], "::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
    [["127.0.0.1"], "127.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
    [["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", "1.1.1.1, 198.51.100.1, 10.2.3.4", "198.51.100.1"],
    [["127.0.0.1"], "127.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
    [["::1"], "::1", "2001:db8::5", "2001:db8::5"],
    // All trusted, or nothing to read.
    [["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", "10.2.3.4", "10.2.3.4"],
    [["127.0.0.1"], "127.0.0.1", null, "127.0.0.1"],
    [["127.0.0.1"], "127.0.0.1", "", "127.0.0.1"],
    // Malformed entries stop the walk at the last good one.
    [["127.0.0.1"], "127.0.0.1", "198.51.100.1, nonsense", "127.0.0.1"],
    [["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", "0x7f.1, 10.2.3.4", "10.2.3.4"],
  ];
  for (const [trusted, socket, header, client] of rows) {
    test(`${socket} with "${header}" behind [${trusted}] is ${client}`, () => {
      expect(createClientAddress(trusted)(socket, header)).toBe(client);
    });
  }

  test("whatever an untrusted socket claims, it is itself", () => {
    const find = createClientAddress(["10.0.0.0/8"]);
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(find("203.0.113.9", header)).toBe("203.0.113.9");
      }),
    );
  });

  test("no header makes a trusted proxy's request fail", () => {
    const find = createClientAddress(["127.0.0.1", "10.0.0.0/8"]);
    const hop = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant("10.1.1.1"));
    fc.assert(
      fc.property(fc.array(hop), (hops) => {
        expect(find("127.0.0.1", hops.join(", "))).not.toBe("");
      }),
    );
  });
});

describe("what requests are counted under", () => {
  test("an IPv4 address is itself", () => expect(rateKey("203.0.113.9")).toBe("203.0.113.9"));
  test("IPv6 addresses of one /64 are one client", () => {
    expect(rateKey("2001:db8:1:2::1")).toBe(rateKey("2001:db8:1:2:ffff:ffff:ffff:ffff"));
    expect(rateKey("2001:db8:1:2::1")).not.toBe(rateKey("2001:db8:1:3::1"));
  });
  test("what is no address is itself", () => expect(rateKey("")).toBe(""));
});

test("what an entry of TRUSTED_PROXIES may be", () => {
  for (const good of ["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"]) {
    expect(isProxyEntry(good)).toBe(true);
  }
  for (const bad of ["", "localhost", "10.0.0.0/33", "10.0.0", "0x7f.0.0.1", "1.2.3.4/"]) {
    expect(isProxyEntry(bad)).toBe(false);
  }
});
