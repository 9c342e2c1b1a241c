import {
  FAILURES_EXPIRE_MS,
  FIRST_WAIT_MS,
  FRESH_FAILURES,
  FRESH_PER_DAY,
  LONGEST_QUEUE_MS,
  type MemoryPasswordThrottle,
  type Outcome,
  type PasswordThrottle,
  RUN_EXPIRES_MS,
  type ThrottleSubject,
  TURN_LASTS_MS,
} from "../access/password-throttle.ts";
import type { RedisClient } from "./redis-client.ts";
import { defineScript, evalSha } from "./redis-script.ts";

/**
 * What both scripts need. KEYS[1] is the attempt's own subject, KEYS[2] its shared one. ARGV starts with
 * `RULES`, then has three values for each key: the free attempts, the longest wait, and 1 if it is shared.
 * A key holds the numbers of a `Count`, and expires. The clock may be set back: no time is believed
 * that is later than the rules can make it.
 */
const COMMON = `
  local first, expiry, runExpiry = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local fresh, perDay = tonumber(ARGV[4]), tonumber(ARGV[5])
  local turnLasts, longest = tonumber(ARGV[6]), tonumber(ARGV[7])
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  local counts = {}
  for i, key in ipairs(KEYS) do
    local at = 7 + 3 * (i - 1)
    local n = {}
    for digits in string.gmatch(redis.call('GET', key) or '', '%d+') do n[#n + 1] = tonumber(digits) end
    local c = { key = key, free = tonumber(ARGV[at + 1]), maxWait = tonumber(ARGV[at + 2]),
      isShared = ARGV[at + 3] == '1', failures = n[1] or 0, running = n[3] or 0, lastAt = n[4] or 0 }
    c.waitsUntil = math.min(n[2] or 0, now + c.maxWait)
    c.turnAt = math.min(n[5] or 0, now + longest)
    c.nextTurnAt = math.min(n[6] or 0, now + longest + c.maxWait)
    c.freshFullAt = math.min(n[7] or 0, now + expiry)
    if math.abs(now - c.lastAt) >= runExpiry then c.running = 0 end
    counts[i] = c
  end
  local function waitAfter(c)
    if c.failures < c.free then return 0 end
    return math.min(first * 2 ^ (c.failures - c.free), c.maxWait)
  end
  local function save(c)
    local text = string.format('%d %.0f %d %.0f %.0f %.0f %.0f', c.failures, c.waitsUntil, c.running,
      c.lastAt, c.turnAt, c.nextTurnAt, c.freshFullAt)
    redis.call('SET', c.key, text, 'PX', string.format('%.0f', math.max(0, c.waitsUntil - now) + expiry))
  end`;

/** `begin` by the rules of the in-memory throttle: 0 allowed, -1 busy, otherwise the milliseconds to wait. */
export const ATTEMPT = defineScript(`${COMMON}
  local own, shared, wait = counts[1], counts[2], 0
  for _, c in ipairs(counts) do wait = math.max(wait, c.waitsUntil - now) end
  if wait > 0 then return wait end
  if own.running >= math.max(1, own.free - own.failures) then return -1 end
  local function allow()
    own.turnAt = 0
    for _, c in ipairs(counts) do
      c.running, c.lastAt = c.running + 1, now
      save(c)
    end
    return 0
  end
  if not shared or shared.failures + shared.running < shared.free then return allow() end
  if own.failures < fresh and shared.freshFullAt - now < expiry then
    if own.failures + own.running >= fresh then return -1 end
    shared.freshFullAt = math.max(shared.freshFullAt, now) + expiry / perDay
    return allow()
  end
  if shared.failures < shared.free then return -1 end
  if own.turnAt > now then return own.turnAt - now end
  if own.turnAt > 0 and now < own.turnAt + turnLasts then return allow() end
  local interval = waitAfter(shared)
  if shared.nextTurnAt <= now then
    shared.nextTurnAt = now + interval
    return allow()
  end
  local turn = shared.nextTurnAt
  if turn - now > longest then return longest end
  own.turnAt, own.lastAt, shared.nextTurnAt = turn, now, turn + interval
  save(own)
  save(shared)
  return turn - now`);

/** `end`. The value after those of the keys is 0 unknown, 1 wrong, 2 right. */
export const END_ATTEMPT = defineScript(`${COMMON}
  local outcome = tonumber(ARGV[#ARGV])
  for _, c in ipairs(counts) do
    c.running = math.max(0, c.running - 1)
    if outcome == 2 then
      c.failures, c.waitsUntil, c.turnAt, c.nextTurnAt, c.lastAt = 0, 0, 0, 0, now
    elseif outcome == 1 then
      c.failures = c.failures + 1
      local pause = c.isShared and 0 or waitAfter(c)
      if pause > 0 then c.waitsUntil = now + pause end
    end
    if outcome == 2 and c.running == 0 and not c.isShared then redis.call('DEL', c.key) else save(c) end
  end
  return 0`);

const RULES = [
  FIRST_WAIT_MS,
  FAILURES_EXPIRE_MS,
  RUN_EXPIRES_MS,
  FRESH_FAILURES,
  FRESH_PER_DAY,
  TURN_LASTS_MS,
  LONGEST_QUEUE_MS,
];

const OUTCOMES: Readonly<Record<Outcome, number>> = { unknown: 0, wrong: 1, right: 2 };

export interface RedisPasswordThrottleDeps {
  readonly redis: Pick<RedisClient, "send">;
  /** Start of the keys. */
  readonly prefix: string;
  /** This server's own counts: decides when Redis does not reply. */
  readonly fallback: MemoryPasswordThrottle;
}

/** A password throttle that several servers share. */
export function createRedisPasswordThrottle(deps: RedisPasswordThrottleDeps): PasswordThrottle {
  const { redis, prefix, fallback } = deps;
  const keysOf = (subjects: readonly ThrottleSubject[]): string[] =>
    subjects.map(({ kind, id }) => `${prefix}${kind}:${id}`);
  const valuesOf = (subjects: readonly ThrottleSubject[]): number[] => [
    ...RULES,
    ...subjects.flatMap(({ freeAttempts, maxWaitMs, isShared }) => [
      freeAttempts,
      maxWaitMs,
      isShared === true ? 1 : 0,
    ]),
  ];

  return {
    async begin(...subjects) {
      const waitMs = await redis.send(evalSha(ATTEMPT, keysOf(subjects), valuesOf(subjects)));
      if (typeof waitMs !== "number") return fallback.begin(...subjects);
      if (waitMs < 0) return "busy";
      if (waitMs > 0) return waitMs;
      // Counted here too, for when Redis is unavailable.
      fallback.begin(...subjects);
      return "allowed";
    },
    async end(outcome, ...subjects) {
      fallback.end(outcome, ...subjects);
      const values = [...valuesOf(subjects), OUTCOMES[outcome]];
      await redis.send(evalSha(END_ATTEMPT, keysOf(subjects), values));
    },
  };
}
