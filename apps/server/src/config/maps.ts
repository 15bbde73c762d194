import { z } from 'zod';
import { text, variable } from './variable.ts';

/** Variables for the app's map tiles. */
export const mapVariables = {
  MAP_TILES_URL: variable(
    'http(s)://…/{z}/{x}/{y}…',
    'none',
    'URL template of 256-pixel Web Mercator tiles. Without it, the app draws its bundled map and contacts no tile server.',
    z
      .string()
      .refine(
        (value) =>
          /^https?:\/\/[^\s"<>]+$/.test(value) &&
          ['{z}', '{x}', '{y}'].every((part) => value.includes(part)) &&
          URL.canParse(value) &&
          !/[{}]/.test(new URL(value).host),
        'an address with {z}, {x} and {y} in its path',
      )
      .optional(),
  ),
  MAP_TILES_ATTRIBUTION: variable(
    'text',
    'none',
    'Attribution shown on those tiles, such as `© OpenStreetMap contributors`.',
    text.max(200).optional(),
  ),
} as const;
