// The time and number of the kernels of each name, the longest first: kernels.mjs MODULES TRACE
import { createRequire } from 'node:module';

const [modules, trace] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${modules}/`)('@duckdb/node-api');
const connection = await (await DuckDBInstance.create()).connect();
const rows = await connection.runAndReadAll(`
  SELECT event.name, sum(event.dur)::DOUBLE AS time, count(*)::INTEGER
  FROM (SELECT unnest(traceEvents) AS event
        FROM read_json('${trace}', format = 'unstructured', maximum_object_size = 4000000000,
                       columns = {traceEvents: 'STRUCT(cat VARCHAR, name VARCHAR, dur DOUBLE)[]'}))
  WHERE event.cat = 'kernel' GROUP BY ALL ORDER BY time DESC LIMIT 20`);

console.log(JSON.stringify(rows.getRows()));
