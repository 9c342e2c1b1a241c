import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { createClientAddress, isProxyEntry, rateKey } from "./trusted-proxies.ts";

describe("the client's address", () => {
  const rows: [string[], string, string | null, string][] = [
    // No trusted proxy: the header is ignored.
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
    // A malformed entry ends the reading at the last valid one.
    [["127.0.0.1"], "127.0.0.1", "198.51.100.1, nonsense", "127.0.0.1"],
    [["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", "0x7f.1, 10.2.3.4", "10.2.3.4"],
    [["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", "198.51.100.1, , 10.2.3.4", "10.2.3.4"],
    [["127.0.0.1"], "127.0.0.1", "198.51.100.1,", "127.0.0.1"],
    [["127.0.0.1"], "127.0.0.1", ",198.51.100.1", "198.51.100.1"],
    [["127.0.0.1"], "127.0.0.1", "unknown", "127.0.0.1"],
    // Other notations.
    [["127.0.0.1"], "127.0.0.1", "1.1.1.1,198.51.100.1", "198.51.100.1"],
    [["127.0.0.1"], "127.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    [["127.0.0.1"], "127.0.0.1", "[2001:db8::5]:4711", "2001:db8::5"],
    [["127.0.0.1"], "127.0.0.1", "[2001:db8::5]", "2001:db8::5"],
    [["127.0.0.1"], "127.0.0.1", "2001:0DB8:0:0::5", "2001:db8::5"],
    [["127.0.0.1"], "127.0.0.1", "::ffff:c633:6401", "198.51.100.1"],
    [["::ffff:10.0.0.0/104"], "10.2.3.4", "198.51.100.1", "198.51.100.1"],
    [["::ffff:127.0.0.1"], "::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
    [["fe80::/10"], "fe80::1%eth0", "198.51.100.1", "198.51.100.1"],
    // IPv4 ranges contain no IPv6 addresses, and vice versa.
    [["::/0"], "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    [["0.0.0.0/0"], "2001:db8::5", "198.51.100.1", "2001:db8::5"],
    // A socket without an address.
    [["127.0.0.1"], "", "198.51.100.1", ""],
  ];
  for (const [trusted, socket, header, client] of rows) {
    test(`${socket} with "${header}" behind [${trusted}] is ${client}`, () => {
      expect(createClientAddress(trusted)(socket, header)).toBe(client);
    });
  }

  test("ignores the header of an untrusted socket", () => {
    const find = createClientAddress(["10.0.0.0/8"]);
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(find("203.0.113.9", header)).toBe("203.0.113.9");
      }),
    );
  });

  test("ignores entries left of the first untrusted address", () => {
    const find = createClientAddress(["127.0.0.1", "10.0.0.0/8"]);
    const forged = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant("10.1.1.1")));
    const client = fc.ipV4().filter((address) => !/^(10|127)\./.test(address));
    fc.assert(
      fc.property(forged, client, (hops, address) => {
        const header = [...hops, address, "10.9.9.9"].join(", ");
        expect(find("127.0.0.1", header)).toBe(address);
      }),
    );
  });

  test("names the trusted proxy that is neither an address nor a range", () => {
    expect(() => createClientAddress(["127.0.0.1", "proxy.local"])).toThrow(/"proxy\.local"/);
  });

  test("returns the right address when the cache overflows", () => {
    const find = createClientAddress(["127.0.0.1"]);
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 6000; n += 1) {
        const client = `1.2.${n >> 8}.${n & 255}`;
        expect(find("127.0.0.1", client)).toBe(client);
      }
    }
  });

  test("finds an address for any header of a trusted proxy", () => {
    const find = createClientAddress(["127.0.0.1", "10.0.0.0/8"]);
    const hop = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant("10.1.1.1"));
    fc.assert(
      fc.property(fc.array(hop), (hops) => {
        expect(find("127.0.0.1", hops.join(", "))).not.toBe("");
      }),
    );
  });
});

describe("the key for rate limits", () => {
  test("an IPv4 address stays as it is", () => expect(rateKey("203.0.113.9")).toBe("203.0.113.9"));
  test("IPv6 addresses of one /64 are one client", () => {
    expect(rateKey("2001:db8:1:2::1")).toBe(rateKey("2001:db8:1:2:ffff:ffff:ffff:ffff"));
    expect(rateKey("2001:db8:1:2::1")).not.toBe(rateKey("2001:db8:1:3::1"));
  });
  test("groups exactly the addresses of one /64", () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
        const network = (address: string): string =>
          ipaddr.IPv6.parse(address).toNormalizedString().split(":").slice(0, 4).join(":");
        const mapped = [one, other].some((text) => ipaddr.IPv6.parse(text).isIPv4MappedAddress());
        fc.pre(!mapped);
        expect(rateKey(one) === rateKey(other)).toBe(network(one) === network(other));
        expect(rateKey(`${network(one)}:1:2:3:4`)).toBe(rateKey(one));
      }),
    );
  });
  test("an IPv4-mapped address counts as IPv4", () => {
    expect(rateKey("::ffff:203.0.113.9")).toBe("203.0.113.9");
    expect(rateKey("::ffff:cb00:7109")).toBe("203.0.113.9");
  });
  test("ignores the zone", () => expect(rateKey("fe80::1%a")).toBe(rateKey("fe80::1%b")));
  test("text that is not an address stays as it is", () => expect(rateKey("")).toBe(""));
});

test("TRUSTED_PROXIES accepts addresses and CIDR ranges only", () => {
  for (const valid of [
    "127.0.0.1",
    "10.0.0.0/8",
    "::1",
    "fd00::/8",
    "10.1.2.3/8",
    "0.0.0.0/0",
    "::/0",
    "::ffff:10.0.0.0/104",
  ]) {
    expect(isProxyEntry(valid)).toBe(true);
  }
  for (const invalid of [
    "",
    "localhost",
    "10.0.0.0/33",
    "10.0.0",
    "0x7f.0.0.1",
    "1.2.3.4/",
    "127.1/8",
    "010.0.0.1",
    "::/129",
    "::ffff:10.0.0.0/8",
    "/8",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "*",
  ]) {
    expect(isProxyEntry(invalid)).toBe(false);
  }
});
