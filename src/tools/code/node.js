// Runs the code that stands at the beginning of standard input; the rest of it is the code's own input. tool() calls a
// tool over descriptor 3, which no other process gets.
"use strict";
{
  const fs = require("fs"), vm = require("vm");
  const size = Number(process.argv[1]), bytes = Buffer.alloc(size);
  for (let got = 0, more = 1; got < size && more > 0; got += more) {
    more = fs.readSync(0, bytes, got, size - got, null);
  }
  process.argv.splice(1);

  class ToolError extends Error {
    name = "ToolError";
  }

  let rest = Buffer.alloc(0);
  const answer = () => {
    const piece = Buffer.alloc(65536);
    for (;;) {
      const end = rest.indexOf(10);
      if (end >= 0) {
        const line = rest.toString("utf8", 0, end);
        rest = rest.subarray(end + 1);
        return JSON.parse(line);
      }
      const more = fs.readSync(3, piece, 0, piece.length, null);
      if (more === 0) return { error: "tools cannot be called any more" };
      rest = Buffer.concat([rest, piece.subarray(0, more)]);
    }
  };

  const tool = (name, args = {}) => {
    const request = Buffer.from(JSON.stringify({ tool: name, arguments: args }) + "\n");
    for (let sent = 0; sent < request.length; ) {
      sent += fs.writeSync(3, request, sent);
    }
    const answered = answer();
    if (answered.error !== undefined) throw new ToolError(answered.error);
    return answered.text;
  };

  const failed = (error) => {
    let told = error;
    if (error instanceof Error) {
      const lines = error.stack.split("\n");
      const ours = lines.findIndex((line) => line.includes("at [eval]:"));
      told = lines.slice(0, ours < 0 ? lines.length : ours).join("\n");
    }
    console.error(told);
    process.exitCode = 1;
  };
  try {
    const code = `(async (require, tool, ToolError) => {\n${bytes}\n})`;
    const options = { filename: "code.js", lineOffset: -1 };
    const loader = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    if (loader) options.importModuleDynamically = loader;
    const local = require("module").createRequire(process.cwd() + "/");
    vm.runInThisContext(code, options)(local, tool, ToolError).catch(failed);
  } catch (error) {
    failed(error);
  }
}
