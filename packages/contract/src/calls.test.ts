import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { calls } from './calls.ts';
import { routes } from './routes.ts';

describe('calls', () => {
  it('have schemas and unique addresses', () => {
    expect(Object.keys(calls)).toEqual(Object.keys(routes));
    const addresses = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
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

  it('accept an absent body if they have no parameters', () => {
    for (const name of ['user/info', 'user/refreshToken', 'device/index'] as const) {
      expect(calls[name].body.safeParse(undefined).success).toBe(true);
      expect(calls[name].body.safeParse({}).success).toBe(true);
    }
  });
});
