import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRange = readonly [network: Address, bits: number];

/** Undefined for an invalid address. An IPv4 address mapped into IPv6 becomes IPv4. */
export function parseAddress(text: string): Address | undefined {
  const address = text.trim();
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

/** @param text an address or a CIDR range */
export function parseRange(text: string): AddressRange {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

export function isWithin(address: Address, ranges: readonly AddressRange[]): boolean {
  return ranges.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
}

/** The unit of one client: an IPv4 address, or the /64 network of an IPv6 address, the allocation of one customer. */
export function limitedPart(address: Address): string {
  return address.kind() === 'ipv4' ? address.toString() : networkAround(address, 64);
}

export function networkAround(address: Address, bits: number): string {
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}
