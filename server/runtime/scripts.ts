const transpiler = new Bun.Transpiler({ loader: "ts", target: "browser", minifyWhitespace: true });

/** A script for browsers, without types, and without its comments and the spaces that mean nothing. */
export const compactScript = (script: string): string => transpiler.transformSync(script);
