import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { calls } from './calls.ts';
import { type CallName, routes } from './routes.ts';

describe('calls', () => {
  it('have schemas and unique endpoints', () => {
    expect(Object.keys(calls)).toEqual(Object.keys(routes));
    const endpoints = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(endpoints).size).toBe(endpoints.length);
    for (const call of Object.values(calls)) {
      expect(call.body).toBeInstanceOf(z.ZodType);
      expect(call.data).toBeInstanceOf(z.ZodType);
    }
  });

  it('require the specified token', () => {
    const withoutToken = [
      'user/login',
      'user/register',
      'user/forgotPassword',
      'site/code',
    ] as const;
    for (const name of withoutToken) expect(calls[name].auth).toBe('none');
    expect(calls['user/refreshToken'].auth).toBe('refresh');
    expect(calls['task/index'].auth).toBe('access');
  });

  it('ignore unknown fields and reject wrong types', () => {
    const { body } = calls['user/login'];
    expect(body.parse({ email: ' a@b.co ', password: 'x', more: 1 })).toEqual({
      email: 'a@b.co',
      password: 'x',
    });
    expect(body.safeParse({ email: 'a@b.co', password: 1 }).success).toBe(false);
    expect(body.safeParse({ email: 'not-an-address', password: 'x' }).success).toBe(false);
  });

  const file = { url: 'u', file_size: 1, client_flag: 'f' };
  const paragraph = { id: 'p', radio_file_id: 'r' };
  const setting = { group_name: 'g', config_key: 'k' };
  it.each<[CallName, object, string, unknown, readonly unknown[]]>([
    ['task/index', {}, 'limit', 20, [20, '20', ' 20 ']],
    ['task/index', {}, 'page', 2, [2, '2']],
    ['task/search', { keyword: 'k' }, 'page', 2, [2, '2']],
    ['user/orderRecord', {}, 'limit', 20, [20, '20']],
    ['task/detail', {}, 'id', '7', [7, '7']],
    ['task/create', { language: 'en' }, 'id', '7', [7, '7']],
    ['task/tag', paragraph, 'is_tag', 1, [1, '1']],
    ['task/tag', paragraph, 'is_tag', 0, [0, '0']],
    ['task/tag', { ...paragraph, is_tag: 1 }, 'radio_file_id', '7', [7, '7']],
    ['task/modify-paragraph', paragraph, 'is_tag', 1, [1, '1']],
    ['user/updateConfig', setting, 'config_value', '1', [1, '1']],
    ['user/updateConfig', setting, 'config_value', '0.5', [0.5, '0.5']],
    ['oss/config', { type: 'voice_file', ext: 'mp3' }, 'recording', true, [true, 1, '1', 'true']],
    [
      'oss/config',
      { type: 'voice_file', ext: 'mp3' },
      'recording',
      false,
      [false, 0, '0', 'false'],
    ],
    ['upload/ossFile', file, 'auto_transcribe', false, [false, 0, '0', 'false']],
    ['upload/ossFile', file, 'source', 1, [1, '1']],
    ['upload/ossFile', file, 'file_size', 90, [90, '90']],
    ['upload/ossFile', file, 'total_time', 2.5, [2.5, '2.5', '25e-1']],
    ['upload/ossFile', file, 'client_flag', '7', [7, '7']],
    ['upload/ossFile', file, 'sn', '7', [7, '7']],
    ['upload/checkOssFile', {}, 'client_flag', '7', [7, '7']],
    ['upload/radioFile', {}, 'source', 1, [1, '1']],
    ['device/binding', {}, 'sn', '7', [7, '7']],
  ])('%s %j accepts %s %j as number and as text', (name, others, field, value, sent) => {
    for (const one of sent) {
      const parsed = calls[name].body.parse({ ...others, [field]: one });
      expect(parsed).toHaveProperty(field, value);
    }
  });

  it.each<[CallName, object, string, RegExp]>([
    ['task/index', { limit: 'many' }, 'limit', /not a number/],
    ['task/index', { limit: '0' }, 'limit', /Too small/],
    ['task/index', { limit: 0 }, 'limit', /Too small/],
    ['task/index', { page: '1.5' }, 'page', /int/],
    ['task/index', { page: '' }, 'page', /not a number/],
    ['task/tag', { ...paragraph, is_tag: '2' }, 'is_tag', /./],
    ['task/tag', { ...paragraph, is_tag: true }, 'is_tag', /./],
    ['oss/config', { type: 'voice_file', ext: 'mp3', recording: 'no' }, 'recording', /./],
    ['task/detail', { id: '' }, 'id', /./],
    ['task/detail', { id: [7] }, 'id', /./],
  ])('%s rejects %j and names the field', (name, body, field, message) => {
    const [issue] = calls[name].body.safeParse(body).error?.issues ?? [];
    expect(issue?.path).toEqual([field]);
    expect(issue?.message).toMatch(message);
  });

  it.each([
    ['  Ada  ', 'Ada'],
    ['   ', ''],
    ['\u202eadA\u2066', 'adA'],
    ['\u200b\ufeff', ''],
    ['A\td\na\u0007', 'Ada'],
    ['👩\u200d🔬 می\u200cخواهم', '👩\u200d🔬 می\u200cخواهم'],
  ])('keep the visible characters of the nickname %j', (nickname, expected) => {
    expect(calls['user/updateNickname'].body.parse({ nickname })).toEqual({ nickname: expected });
  });

  it('accept an absent body if they have no parameters', () => {
    for (const name of ['user/info', 'user/refreshToken', 'device/index'] as const) {
      expect(calls[name].body.safeParse(undefined).success).toBe(true);
      expect(calls[name].body.safeParse({}).success).toBe(true);
    }
  });
});
