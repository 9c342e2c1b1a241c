/** Argon2id. The hash has its own costs and salt. */
export const { hash: hashPassword, verify: verifyPassword } = Bun.password;
