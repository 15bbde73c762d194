import type { IncomingHttpHeaders } from 'node:http';
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { bestLanguage } from '@linnet/contract/interface-languages';

/** Returns the best interface language for a request's `Accept-Language` header (RFC 9110, 12.5.4). */
export function acceptedLanguage(
  headers: Pick<IncomingHttpHeaders, 'accept-language'>,
): InterfaceLanguage {
  const ranges = (headers['accept-language'] ?? '').split(',').map((entry) => {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  const accepted = ranges.filter(({ quality }) => quality > 0);
  return bestLanguage(
    accepted.sort((first, second) => second.quality - first.quality).map(({ tag }) => tag),
  );
}
