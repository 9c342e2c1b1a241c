import { describe, expect, test } from "bun:test";
import { isPreview } from "./visitor.ts";

const request = (headers: Record<string, string>, method = "GET"): Request =>
  new Request("http://localhost/s/token", { method, headers });

describe("is no visit", () => {
  test.each([
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Slack-ImgProxy (+https://api.slack.com/robots)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Twitterbot/1.0",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "WhatsApp/2.23.20.0",
    "TelegramBot (like TwitterBot)",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
    "Mattermost-Bot/1.1",
    "Iframely/1.3.1 (+https://iframely.com/docs/about)",
  ])("the program %s", (agent) => {
    expect(isPreview(request({ "User-Agent": agent }))).toBe(true);
  });

  test.each([
    { "Sec-Purpose": "prefetch;prerender" },
    { Purpose: "prefetch" },
    { "X-Purpose": "preview" },
    { "X-Moz": "prefetch" },
  ])("a prefetch with %j", (headers) => {
    expect(isPreview(request(headers))).toBe(true);
  });

  test("HEAD", () => {
    expect(isPreview(request({}, "HEAD"))).toBe(true);
  });
});

describe("is a visit", () => {
  test.each([
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (Linux; Android 15; Cubot X30) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36 Telegram-Android/11.2.3",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/22A [LinkedInApp]/9.30",
    "curl/8.14.1",
    "Wget/1.25.0",
  ])("the browser or program %s", (agent) => {
    expect(isPreview(request({ "User-Agent": agent }))).toBe(false);
  });

  test("a request without a User-Agent", () => {
    expect(isPreview(request({ "Sec-Purpose": "" }))).toBe(false);
  });
});
