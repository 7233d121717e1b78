// Drives the proxy with the official client for Node. OPENAI_BASE_URL and OPENAI_API_KEY say where and who.
import assert from 'node:assert/strict';
import OpenAI from 'openai';

const client = new OpenAI({ maxRetries: 0 });
const ask = (text, more = {}) => client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: text }], ...more });

assert.equal((await ask('Hi')).choices[0].message.content, 'Hello.');
assert.equal((await ask('TOOL')).choices[0].message.tool_calls[0].function.name, 'sql');
const format = { type: 'json_schema', json_schema: { name: 'n', strict: true, schema: { type: 'object' } } };
assert.deepEqual(JSON.parse((await ask('JSON', { response_format: format })).choices[0].message.content), { n: 2 });

let said = '';
for await (const part of await ask('Hi', { stream: true })) said += part.choices[0]?.delta?.content ?? '';
assert.equal(said, 'Hello.');
await assert.rejects(async () => { for await (const _ of await ask('CUT', { stream: true })); });

await assert.rejects(ask('LIMIT'), (e) => e.status === 429 && e.headers.get('retry-after') === '7');
assert.equal((await client.models.list()).data[0].id, 'm-1');
await assert.rejects(new OpenAI({ apiKey: 'sk-wrong', maxRetries: 0 }).models.list(), (e) => e.status === 401 && e.type === 'authentication_error');
