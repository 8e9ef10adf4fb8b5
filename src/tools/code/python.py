# Runs the code that stands at the beginning of standard input; the rest of it is the code's own input. tool() calls a
# tool over descriptor 3, which no other process gets.
def _run():
    import sys

    # What the folder holds must not stand in for what is needed here.
    here = sys.path.pop(0) if sys.path and sys.path[0] == "" else None
    import json, linecache, os, threading, traceback

    if here is not None:
        sys.path.insert(0, here)
    left, pieces = int(sys.argv[1]), []
    while left:
        piece = os.read(0, left)
        if not piece:
            break
        pieces.append(piece)
        left -= len(piece)
    code, name = b"".join(pieces).decode("utf-8"), "<code>"
    sys.argv[:] = [name]
    sys.stdout.reconfigure(line_buffering=True)
    os.set_inheritable(3, False)
    answers, lock, owner = open(3, "rb", closefd=False), threading.Lock(), os.getpid()

    class ToolError(Exception):
        """A tool that was refused or failed."""

    def tool(name, arguments=None, /, **named):
        """Calls a tool with its arguments by name; returns its text, raises ToolError."""
        request = {"tool": name, "arguments": {**(arguments or {}), **named}}
        request = json.dumps(request).encode() + b"\n"
        if os.getpid() != owner:
            raise ToolError("tool() works only in the process that runs the code")
        with lock:
            while request:
                request = request[os.write(3, request):]
            answer = answers.readline()
        if not answer:
            raise ToolError("tools cannot be called any more")
        answer = json.loads(answer)
        if "error" in answer:
            raise ToolError(answer["error"])
        return answer["text"]

    main = sys.modules["__main__"].__dict__
    del main["_run"]
    main.update(tool=tool, ToolError=ToolError)
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    try:
        exec(compile(code, name, "exec"), main)
    except SystemExit:
        raise
    except BaseException as error:
        trace = error.__traceback__ and error.__traceback__.tb_next
        traceback.print_exception(type(error), error, trace)
        sys.exit(1)


_run()
