// The 32-bit MicroPython VM in node: `node wasm.mjs MICROPYTHON.mjs FOLDER SCRIPT ARGUMENT...`.
//
// FOLDER is copied into the VM's file system as /bench and holds all that the script reads; /bench and its folder
// `lib` are on the path, or instead of that a ROM image `lib.romfs` as /rom. SCRIPT is the name of a module there with
// `main(arguments)`, a generator: this VM collects garbage between two calls from JavaScript only, so each `yield` is a
// collection.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [program, folder, script, ...args] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(program));
const image = join(folder, "lib.romfs");
const vm = await loadMicroPython({
    heapsize: 8 << 20,
    pystack: 64 << 10,
    romfs: existsSync(image) ? new Uint8Array(readFileSync(image)) : undefined,
    stdout: (line) => console.log(line),
});

// An error of Python alone, without the line of the VM's own source in which it left the VM.
process.on("uncaughtException", (error) => {
    console.error(error.message);
    process.exitCode = 1;
});

function copy(from, to) {
    if (!statSync(from).isDirectory()) {
        vm.FS.writeFile(to, readFileSync(from));
        return;
    }
    vm.FS.mkdir(to);
    for (const name of readdirSync(from)) {
        copy(join(from, name), `${to}/${name}`);
    }
}

copy(folder, "/bench");
vm.runPython(`
import gc, os, sys
os.chdir("/bench")
sys.path[:] = ["/bench", "/bench/lib", "/rom"]
import ${script}
_steps = ${script}.main(${JSON.stringify(args)})
_more = True
def _step():
    global _more
    try:
        next(_steps)
    except StopIteration:
        _more = False
    gc.collect()
`);
while (vm.globals.get("_more")) {
    vm.runPython("_step()");
}
