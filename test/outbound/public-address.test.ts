import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../server/outbound/public-address.ts';
import { privateAddresses } from '../support/hostile/addresses.ts';

describe('isPublicAddress', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.169.0.1',
    '198.17.255.255',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '2001:4860:4860::8888',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ...privateAddresses,
    ['no address', 'localhost'],
    ['no address', ''],
    ['octal, which the URL parser never leaves', '0177.0.0.1'],
  ])('%s is not: %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
