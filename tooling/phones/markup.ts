/** Minimal parsers for the project's own XML files and property lists. */

/** Removes comments. @throws Error for comments that Android's and Apple's tools would reject as invalid */
function removeComments(xml: string): string {
  return xml.replace(/<!--([\s\S]*?)-->/g, (_, text: string) => {
    if (text.includes('--')) throw new Error(`invalid XML comment: ${text}`);
    return '';
  });
}

export type Element = { readonly name: string; readonly attributes: Record<string, string> };

/** Returns all elements in document order. */
export function parseElements(xml: string): Element[] {
  const bareMarkup = removeComments(xml);
  return [...bareMarkup.matchAll(/<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*"[^"]*")*)\s*\/?>/g)].map(
    ([, name = '', inside = '']) => ({
      name,
      attributes: Object.fromEntries(
        [...inside.matchAll(/([\w:.-]+)\s*=\s*"([^"]*)"/g)].map(([, key, value]) => [key, value]),
      ),
    }),
  );
}

export type Plist = string | boolean | Plist[] | { [key: string]: Plist };

/** Parses a property list. Numbers and dates aren't supported. */
export function parsePlist(xml: string): Plist {
  const bareMarkup = removeComments(xml);
  const tokens = [
    ...bareMarkup.matchAll(/<(true|false)\/>|<(key|string)>([^<]*)<\/\2>|<(\/?\w+)\/?>/g),
  ];
  let index = tokens.findIndex(([text]) => text === '<dict>' || text === '<array>');

  function parseValue(): Plist {
    const [text, flag, , content, tag] = tokens[index++] ?? [];
    if (flag) return flag === 'true';
    if (content !== undefined) return content;
    const list: Plist[] = [];
    if (text?.endsWith('/>')) return tag === 'dict' ? {} : list;
    if (tag === 'array') {
      while (tokens[index]?.[0] !== '</array>') list.push(parseValue());
      index += 1;
      return list;
    }
    if (tag !== 'dict') throw new Error(`unsupported element: ${text}`);
    const dict: Record<string, Plist> = {};
    while (tokens[index]?.[0] !== '</dict>') {
      const key = parseValue() as string;
      dict[key] = parseValue();
    }
    index += 1;
    return dict;
  }
  return parseValue();
}
