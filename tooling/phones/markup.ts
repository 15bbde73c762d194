/** Minimal parsers for the project's own XML files and property lists. */

/** @throws Error for a comment that XML does not allow; Android's and Apple's tools refuse such a file. */
function withoutComments(xml: string): string {
  return xml.replace(/<!--([\s\S]*?)-->/g, (_, text: string) => {
    if (text.includes('--')) throw new Error(`invalid XML comment: ${text}`);
    return '';
  });
}

export type Element = { readonly name: string; readonly attributes: Record<string, string> };

/** All elements in document order. */
export function elements(xml: string): Element[] {
  const bare = withoutComments(xml);
  return [...bare.matchAll(/<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*"[^"]*")*)\s*\/?>/g)].map(
    ([, name = '', inside = '']) => ({
      name,
      attributes: Object.fromEntries(
        [...inside.matchAll(/([\w:.-]+)\s*=\s*"([^"]*)"/g)].map(([, key, value]) => [key, value]),
      ),
    }),
  );
}

export type Plist = string | boolean | Plist[] | { [key: string]: Plist };

/** Parses a property list. Numbers and dates are not supported. */
export function parsePlist(xml: string): Plist {
  const bare = withoutComments(xml);
  const tokens = [...bare.matchAll(/<(true|false)\/>|<(key|string)>([^<]*)<\/\2>|<(\/?\w+)\/?>/g)];
  let at = tokens.findIndex(([text]) => text === '<dict>' || text === '<array>');

  function value(): Plist {
    const [text, flag, , words, tag] = tokens[at++] ?? [];
    if (flag) return flag === 'true';
    if (words !== undefined) return words;
    const list: Plist[] = [];
    if (text?.endsWith('/>')) return tag === 'dict' ? {} : list;
    if (tag === 'array') {
      while (tokens[at]?.[0] !== '</array>') list.push(value());
      at += 1;
      return list;
    }
    if (tag !== 'dict') throw new Error(`unsupported element: ${text}`);
    const dict: Record<string, Plist> = {};
    while (tokens[at]?.[0] !== '</dict>') {
      const key = value() as string;
      dict[key] = value();
    }
    at += 1;
    return dict;
  }
  return value();
}
