# SPDX-License-Identifier: BSD-3-Clause
"""Random calls with objects that change themselves, each other and the arguments whenever they are asked for something, and
from another thread meanwhile: any exception is fine, a crash is not.

python fuzz_changing.py [SECONDS [SEED]] runs for that long; the number of each round is its seed, but for what threads do.
With -v each is printed. Under a sanitizer, PYTHONMALLOC=malloc shows it every object; fuzz.py tells of memory.
"""

import array as arrays
import ctypes
import gc
import random
import sys
import threading
import time

import fuzz
import stria

SIZES = (0, 1, 2, 3, 4, 70, 5000, 9000)
LENGTHS = (0, 1, 2, 3, -1, 1000, 2**31, sys.maxsize, 461168601842738791, 2**70)


class World:
    """The objects of a round that can change: lists, dicts, objects and memory that arguments are made of."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.lists, self.dicts, self.memory, self.objects = [], [], [], []
        self.elements = []  # memory of interfaces, which must outlive its description
        self.depth = 0

    def change(self):
        """Changes one of these objects, or uses the package while a call of it reads."""
        draw = self.draw
        if self.depth > 3:
            return
        self.depth += 1
        try:
            for _ in range(draw.choice((0, 1, 1, 2, 4))):
                self.change_one(draw.randrange(12))
        finally:
            self.depth -= 1

    def change_one(self, how):
        draw = self.draw
        items = draw.choice(self.lists) if self.lists else []
        if how == 0:
            items.clear()
        elif how == 1:
            items[:] = [bytearray(64) for _ in items]
        elif how == 2 and items:
            items[draw.randrange(len(items))] = self.value(2)
        elif how == 3:
            items.extend([1] * draw.choice((1, 3, 500)))
        elif how == 4 and items:
            del items[-1]
        elif how == 5 and self.dicts:
            described = draw.choice(self.dicts)
            described.clear() if draw.random() < 0.5 else described.update(
                shape=(draw.choice(SIZES),), data=(bytearray(50), 1), typestr="".join(["<", draw.choice("if"), "4"]), strides=None)
        elif how == 6 and self.memory:
            part = draw.choice(self.memory)
            try:
                part[:] = part[: draw.randrange(len(part) + 1)] * draw.choice((0, 1, 2))
            except (BufferError, TypeError, ValueError):
                pass
        elif how == 7 and self.objects:
            draw.choice(self.objects).__dict__.clear()
        elif how == 8:
            self.junk = [stria.full(draw.choice(SIZES), 7.0), [bytearray(50) for _ in range(20)], "é" * draw.randrange(300)]
        elif how == 9 and draw.random() < 0.1:
            gc.collect()
        elif how == 10:
            raise draw.choice((ValueError, TypeError, KeyError, IndexError, AttributeError, MemoryError))("changed")
        elif how == 11:
            try:
                self.call()
            except Exception:
                pass

    def list(self, depth):
        kind = self.draw.choice((list, list, list, Long))
        made = kind(self.value(depth + 1) for _ in range(self.draw.choice((1, 2, 3, 5))))
        if kind is Long:
            made.world = self
        self.lists.append(made)
        return made

    def large(self):
        return stria.ones(self.draw.choice(SIZES[-3:]), dtype=self.draw.choice(("float64", "int64", "int32", "bool")))

    def value(self, depth=0):
        draw = self.draw
        kind = draw.randrange(16 if depth < 3 else 9)
        if kind < 2:
            return stria.arange(draw.choice((1, 2, 3, 4)))
        if kind == 2:
            return self.large()
        if kind == 3:
            return fuzz.value(draw, 3)
        if kind < 6:
            return draw.choice((0, 1, 2, -1, 3))
        if kind < 9:
            made = draw.choice((Changing, Changing, Index, Described, Number))(self)
            self.objects.append(made)
            return made
        if kind == 9:
            return "".join(draw.choice(("float32", "i->i", "edge", "sum", "[('a', 'f4')]", "é" * 50, "ij")))
        if kind == 10:
            self.memory.append(draw.choice((bytearray(draw.choice(SIZES[:6]) * 8), arrays.array("d", [1.0] * 5))))
            return self.memory[-1]
        if kind == 11:
            return slice(self.value(3), self.value(3), self.value(3))
        if kind == 12:
            return tuple(self.value(depth + 1) for _ in range(draw.randrange(4)))
        return self.list(depth)

    def call_meanwhile(self):
        """Makes a call that takes long enough for the other thread, without repr(): that of lists keeps no items."""
        draw = self.draw
        x, items = self.large(), self.list(0)
        what = draw.randrange(4)
        if what == 0:
            return stria.asarray(items, dtype=draw.choice(("float32", "int64", None)))
        if what == 1:
            return x[items if draw.random() < 0.5 else (items, items)]
        return draw.choice((OF_LISTS, OF_SHAPES)[what - 2])(items)

    def call(self):
        draw = self.draw
        args = [self.value() for _ in range(draw.choice((1, 1, 2, 2, 3)))]
        names = {draw.choice(fuzz.KEYWORDS): self.value() for _ in range(draw.choice((0, 0, 0, 1, 2)))}
        x = stria.arange(12).reshape(3, 4) if draw.random() < 0.5 else self.large()
        what = draw.randrange(16)
        if what < 4:
            return draw.choice(fuzz.FUNCTIONS)(*args, **names)
        if what < 6:
            return draw.choice(OF_LISTS)(self.list(0))
        if what == 6:
            return draw.choice(OF_SHAPES)(self.list(2) if draw.random() < 0.7 else tuple(self.list(2)))
        if what == 7:
            return draw.choice((stria.asarray, stria.array, stria.from_dlpack, lambda v: isinstance(v, list) or stria.dtype(v)))(args[0])
        if what == 8:
            return stria.asarray(self.list(0), dtype=draw.choice(("float32", "int64", "bool", None, Changing(self))))
        if what == 9:
            return x[args[0] if len(args) == 1 else tuple(args)]
        if what == 10:
            x[args[0]] = args[-1]
            return x
        if what == 11:
            return draw.choice(OPERATORS)(*((x, args[0]) if draw.random() < 0.6 else (args[0], x)))
        if what == 12:
            return stria.eval("a + 1 if 0 else a * 2" if draw.random() < 0.1 else "a * 2 + b", a=args[0], b=args[-1])
        if what == 13:
            return stria.dtype("float32") == args[0], x in args, args[0] in x
        if what == 14:
            return x.__dlpack__(max_version=args[0], copy=args[-1]), x.item(args[0])
        return getattr(x, draw.choice(fuzz.METHODS))(*args, **names)


OF_LISTS = (stria.concat, stria.stack, stria.hstack, stria.vstack, lambda v: stria.concat([v, v]), stria.broadcast_arrays,
            lambda v: stria.broadcast_arrays(*v), lambda v: stria.einsum("i,i->i", *v), lambda v: stria.where(*v),
            lambda v: stria.meshgrid(*v, sparse=True), lambda v: stria.lazy(stria.ones(3)) + v, lambda v: stria.add(stria.ones(3), v),
            lambda v: stria.linalg.multi_dot(v), lambda v: stria.take(stria.arange(9), v), lambda v: stria.block(v))
OF_SHAPES = (stria.zeros, stria.empty, lambda v: stria.ones(v, dtype="int8"), lambda v: stria.zeros((2, 6)).reshape(v),
             lambda v: stria.roll(stria.zeros((3, 3)), v, v), lambda v: stria.sum(stria.zeros((2, 2)), axis=v),
             lambda v: stria.pad(stria.ones(3), v), lambda v: stria.tile(stria.ones(3), v), lambda v: stria.ones((2, 2)).permute(v),
             lambda v: stria.broadcast_to(stria.ones(1), v), lambda v: stria.split(stria.arange(9), v))
OPERATORS = (lambda a, b: a + b, lambda a, b: a == b, lambda a, b: a @ b, lambda a, b: a.__iadd__(b), lambda a, b: a ** b,
             divmod, lambda a, b: a < b, lambda a, b: a << b)


class Long(list):
    """A list whose length and items differ each time."""

    world = None

    def __len__(self):
        self.world and self.world.change()
        return self.world.draw.choice(LENGTHS[:-1]) if self.world else 0

    def __getitem__(self, i):
        self.world and self.world.change()
        return super().__getitem__(i) if super().__len__() > 3 else self.world.value(3)

    def __iter__(self):
        self.world and self.world.change()
        return super().__iter__()


class Changing:
    """An object that is an array, a number, a sequence or a dtype at random."""

    def __init__(self, world):
        self.world = world
        self.has = {name: world.draw.random() < 0.5 for name in
                    ("__array_interface__", "__dlpack__", "__array__", "dtype", "shape", "itemsize", "kind", "str", "fields", "name")}

    def __getattr__(self, name):
        if name in ("world", "has"):
            raise AttributeError(name)
        self.world.change()
        if not self.has.get(name):
            raise AttributeError(name)
        return self.world.value(3) if name != "dtype" else stria.dtype(self.world.draw.choice(fuzz.DTYPES))

    def __index__(self):
        self.world.change()
        return self.world.draw.choice((0, 1, 2, 3, -1, 2**70))

    def __len__(self):
        self.world.change()
        return self.world.draw.choice(LENGTHS[:-1])

    def __getitem__(self, i):
        self.world.change()
        if i > 5:
            raise IndexError
        return self.world.value(3)

    def __float__(self):
        self.world.change()
        return 1.0

    def __complex__(self):
        self.world.change()
        return 1j

    def __bool__(self):
        self.world.change()
        return self.world.draw.random() < 0.5

    def __eq__(self, other):
        self.world.change()
        return self.world.draw.choice((True, False, NotImplemented))

    def __hash__(self):
        return id(self)

    def __repr__(self):  # it changes nothing: repr() of a list does not keep the items, in Python itself up to 3.12
        return "changing"

    __str__ = __repr__

    def __fspath__(self):
        self.world.change()
        return "/nowhere/x.npy"

    def __buffer__(self, flags):
        self.world.change()
        return memoryview(bytearray(24))

    def __del__(self):
        try:
            self.world.change()
        except Exception:
            pass


class Described(Changing):
    """An array by one of the protocols, whose description changes while it is read."""

    def __init__(self, world):
        super().__init__(world)
        elements = (ctypes.c_double * 8)()
        world.elements.append(elements)
        self.array = stria.ones(world.draw.choice(SIZES[-4:]))
        self.described = {"shape": (Index(world),) if world.draw.random() < 0.7 else (8,), "typestr": "<f8", "version": 3,
                          "data": (ctypes.addressof(elements), Changing(world) if world.draw.random() < 0.5 else False),
                          "strides": world.draw.choice((None, (8,), (Index(world),)))}
        world.dicts.append(self.described)

    @property
    def __array_interface__(self):
        self.world.change()
        return self.described if "described" in vars(self) else {}

    def __array__(self, *args, **keywords):
        self.world.change()
        return self.array

    def __dlpack__(self, **keywords):
        self.world.change()
        if self.world.draw.random() < 0.3:
            self.array = None
        capsule = stria.ones(self.world.draw.choice(SIZES[1:])).__dlpack__(**keywords)
        if self.world.draw.random() < 0.2:
            stria.from_dlpack(capsule)
        return capsule

    def __dlpack_device__(self):
        self.world.change()
        return (1, 0)


class Index:
    """An integer of a range that stays in its memory, found only after something changed."""

    def __init__(self, world):
        self.world = world

    def __index__(self):
        self.world.change()
        return self.world.draw.choice((0, 1, 2, 4, 8))


class Number(int):
    """An integer whose other forms change objects."""

    def __new__(cls, world):
        made = super().__new__(cls, world.draw.choice((0, 1, 2)))
        made.world = world
        return made

    def __float__(self):
        self.world.change()
        return 2.0

    def __index__(self):
        self.world.change()
        return 1

    def __bool__(self):
        self.world.change()
        return True




def one_round(seed):
    world = World(seed)
    stop = threading.Event()

    def meanwhile():
        other = random.Random(seed + 1)
        while not stop.is_set():
            try:
                items = other.choice(world.lists)
                items[:] = [None] * other.randrange(4)
                other.choice(world.dicts).clear()
            except (IndexError, RuntimeError):
                pass
            time.sleep(1e-5)

    thread = threading.Thread(target=meanwhile)
    threaded = seed % 4 == 0
    gc.disable()  # it runs __del__, also within repr(); only functions that change objects run it
    if threaded:
        thread.start()
    kept = []
    for _ in range(50):
        try:
            with fuzz.context(world.draw):
                kept.append(world.call_meanwhile() if threaded else world.call())
            if not threaded and world.draw.random() < 0.1:
                repr(kept[-1])
        except Exception:
            pass
        if len(kept) > 4:
            kept.pop(world.draw.randrange(len(kept)))
        for part in (world.lists, world.dicts, world.memory, world.objects):
            del part[:-30]
    stop.set()
    if threaded:
        thread.join()
    del kept, world
    gc.collect()


def main(seconds, seed=0):
    end, n = time.monotonic() + seconds, seed
    stria.set_threads(2)
    sys.setswitchinterval(1e-5)
    while time.monotonic() < end:
        if "-v" in sys.argv:
            print(n, flush=True)
        one_round(n)
        n += 1
    print(f"{n - seed} rounds of 50 calls, from seed {seed}")


if __name__ == "__main__":
    fuzz.bound_memory()
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
