// Reaches the core's instances from outside, to cause faults that no caller can.

/** An instance of the core, and a fault that its next import shall meet. */
export interface CoreInstance {
  readonly memory: WebAssembly.Memory;
  /** Makes the host function of this name throw when the core calls it for the `after`th time from now. */
  failIn(name: string, after: number, fault: () => unknown): void;
}

interface Fault {
  readonly name: string;
  left: number;
  readonly make: () => unknown;
}

/** Every instance that is made from now on, newest last, until `stop`. */
export class Instances {
  readonly all: CoreInstance[] = [];
  readonly #original = WebAssembly.Instance;
  #next: Fault[] = [];

  constructor() {
    const { all } = this;
    const nextFaults = () => this.#next.splice(0);
    WebAssembly.Instance = class extends this.#original {
      constructor(module: WebAssembly.Module, imports: WebAssembly.Imports = {}) {
        const faults = nextFaults();
        super(module, withFaults(imports, faults));
        all.push(coreInstance(this, faults));
      }
    };
  }

  get newest(): CoreInstance {
    const newest = this.all.at(-1);
    if (newest === undefined) throw new Error('there is no instance yet');
    return newest;
  }

  /** As `failIn`, of the instance that is made next. */
  failNext(name: string, make: () => unknown): void {
    this.#next.push({ name, left: 1, make });
  }

  stop(): void {
    WebAssembly.Instance = this.#original;
  }
}

function coreInstance({ exports }: WebAssembly.Instance, faults: Fault[]): CoreInstance {
  const { memory } = exports;
  if (!(memory instanceof WebAssembly.Memory)) throw new Error('this is not the core');
  return {
    memory,
    failIn: (name, after, make) => faults.push({ name, left: after, make }),
  };
}

/** The imports, each of which meets its faults first. */
function withFaults(imports: WebAssembly.Imports, faults: Fault[]): WebAssembly.Imports {
  const guarded = (name: string, original: unknown) => {
    if (typeof original !== 'function') return original as WebAssembly.ImportValue;
    return (...values: unknown[]): unknown => {
      for (const fault of faults) {
        if (name.startsWith(`__wbg_${fault.name}_`) && (fault.left -= 1) === 0) throw fault.make();
      }
      return Reflect.apply(original, undefined, values);
    };
  };
  const inModule = (values: WebAssembly.ModuleImports) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, guarded(name, value)]));
  return Object.fromEntries(Object.entries(imports).map(([module, values]) => [module, inModule(values)]));
}
