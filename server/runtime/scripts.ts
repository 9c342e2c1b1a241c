const transpiler = new Bun.Transpiler({ loader: "js", target: "browser", minifyWhitespace: true });

/** A script for browsers without its comments and the spaces that mean nothing. */
export const compactScript = (script: string): string => transpiler.transformSync(script);
