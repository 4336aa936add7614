export const ACCOUNT_PATH = '/auth/account';
