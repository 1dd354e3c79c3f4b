# SPDX-License-Identifier: BSD-3-Clause
"""Tests the distributions of stria.random: with SciPy against their distribution functions, without it the rules of calls."""

import pickle

import pytest
import stria

# Parameters of each distribution, and SciPy's name of it with parameters as text.
CONTINUOUS = [
    ("standard_gamma", (0.4,), "gamma(0.4)"), ("standard_gamma", (1,), "gamma(1)"), ("standard_gamma", (7.5,), "gamma(7.5)"),
    ("gamma", (2.0, 3.0), "gamma(2, scale=3)"), ("chisquare", (3,), "chi2(3)"), ("beta", (0.5, 0.7), "beta(0.5, 0.7)"),
    ("beta", (3, 2), "beta(3, 2)"), ("standard_t", (4,), "t(4)"), ("f", (4, 6), "f(4, 6)"), ("wald", (2.0, 3.0), "invgauss(2/3, scale=3)"),
    ("vonmises", (0.0, 2.0), "vonmises(2)"), ("vonmises", (0.0, 0.0), "uniform(-3.141592653589793, 6.283185307179586)"),
    ("vonmises", (0.5, 500.0), "vonmises(500, loc=0.5)"), ("noncentral_chisquare", (3, 2.0), "ncx2(3, 2)"),
    ("noncentral_f", (5, 7, 2.0), "ncf(5, 7, 2)"), ("uniform", (1.0, 3.0), "uniform(1, 2)"), ("normal", (1.0, 3.0), "norm(1, 3)"),
    ("exponential", (2.0,), "expon(scale=2)"), ("laplace", (1.0, 3.0), "laplace(1, 3)"), ("logistic", (1.0, 2.0), "logistic(1, 2)"),
    ("gumbel", (1.0, 2.0), "gumbel_r(1, 2)"), ("rayleigh", (2.0,), "rayleigh(scale=2)"), ("weibull", (2.0,), "weibull_min(2)"),
    ("pareto", (5.0,), "lomax(5)"), ("power", (3.0,), "powerlaw(3)"), ("lognormal", (0.0, 0.5), "lognorm(0.5)"),
    ("triangular", (1.0, 2.0, 4.0), "triang(1/3, loc=1, scale=3)"), ("standard_cauchy", (), "cauchy()")]
DISCRETE = [
    ("poisson", (0.3,), "poisson(0.3)"), ("poisson", (9.0,), "poisson(9)"), ("poisson", (12.0,), "poisson(12)"),
    ("poisson", (1e6,), "poisson(1e6)"), ("binomial", (10, 0.3), "binom(10, 0.3)"), ("binomial", (100, 0.02), "binom(100, 0.02)"),
    ("binomial", (1000, 0.7), "binom(1000, 0.7)"), ("binomial", (10**6, 0.9), "binom(10**6, 0.9)"),
    ("hypergeometric", (15, 20, 10), "hypergeom(35, 15, 10)"), ("hypergeometric", (1000, 3000, 500), "hypergeom(4000, 1000, 500)"),
    ("logseries", (0.5,), "logser(0.5)"), ("logseries", (0.95,), "logser(0.95)"), ("zipf", (2.5,), "zipf(2.5)"),
    ("negative_binomial", (3, 0.4), "nbinom(3, 0.4)"), ("geometric", (0.3,), "geom(0.3)"), ("integers", (2, 9), "randint(2, 9)")]


@pytest.fixture(autouse=True)
def one_thread():
    with stria.threads(1):
        yield


def test_seeds_of_several_integers():
    draws = [stria.random.default_rng(seed).random(2).tolist() for seed in ([1, 2], (1, 2), [2, 1], [12], 1)]
    assert draws[0] == draws[1] and len({*map(tuple, draws)}) == 4
    assert stria.random.RandomState([1, 2]).random(2).tolist() == draws[0] and stria.random.default_rng([1, 2])._seed == 17709254606964033710
    with pytest.raises(TypeError):
        stria.random.default_rng([1.5])


def drawn(name, parameters, n):
    np = pytest.importorskip("numpy")
    return np.asarray(getattr(stria.random.default_rng(2026), name)(*parameters, size=n))


@pytest.mark.parametrize("name, parameters, law", CONTINUOUS)
def test_continuous(name, parameters, law):
    stats = pytest.importorskip("scipy.stats")
    assert stats.kstest(drawn(name, parameters, 50000), eval(law, vars(stats)).cdf).pvalue > 1e-3


@pytest.mark.parametrize("name, parameters, law", DISCRETE)
def test_discrete(name, parameters, law):
    stats = pytest.importorskip("scipy.stats")
    import numpy as np

    n, law = 50000, eval(law, vars(stats))
    edges = np.unique(law.ppf(np.linspace(0, 1, 31)[1:-1]))  # bins of about n / 30
    share = np.diff(np.concatenate([[0.0], law.cdf(edges), [1.0]]))
    counts = np.bincount(np.searchsorted(edges, drawn(name, parameters, n)), minlength=share.size)
    assert counts[share < 1e-12].sum() == 0
    some = share >= 1e-12
    assert stats.chisquare(counts[some], share[some] / share[some].sum() * n).pvalue > 1e-3


@pytest.mark.parametrize("name, parameters", [(n, p) for n, p, _ in CONTINUOUS + DISCRETE])
def test_shapes_and_seeds(name, parameters):
    rng = stria.random.default_rng(7)
    x = getattr(rng, name)(*parameters, size=(3, 2))
    assert x.shape == (3, 2) and x.tolist() == getattr(stria.random.default_rng(7), name)(*parameters, size=(3, 2)).tolist()
    assert x.dtype == ("int64" if any(n == name for n, *_ in DISCRETE) else "float64")
    assert getattr(rng, name)(*parameters).shape == () and getattr(rng, name)(*parameters, size=0).shape == (0,)
    if parameters and name != "integers":
        several = getattr(rng, name)(stria.asarray([parameters[0]] * 4), *parameters[1:])
        assert several.shape == (4,)
    assert name == "integers" or getattr(stria.random, name)(*parameters, size=2).shape == (2,)


def test_several_dims():
    rng = stria.random.default_rng(3)
    x = rng.multinomial(20, [0.2, 0.3, 0.5], size=1000)
    assert x.shape == (1000, 3) and x.sum(axis=1).tolist() == [20] * 1000
    assert [round(float(v)) for v in x.mean(axis=0)] == [4, 6, 10]
    assert rng.multinomial([5, 9], [0.5, 0.5]).sum(axis=1).tolist() == [5, 9]
    assert rng.dirichlet([1.0, 2.0, 3.0], 4).sum(axis=1).round(12).tolist() == [1.0] * 4
    x = rng.multivariate_hypergeometric([5, 3, 2], 4, 100)
    assert x.sum(axis=1).tolist() == [4] * 100 and int(x[:, 2].max()) <= 2
    x = rng.permuted(stria.arange(40).reshape(4, 10), axis=1)
    assert stria.sort(x, axis=1).tolist() == stria.arange(40).reshape(4, 10).tolist() and x[0].tolist() != x[1].tolist()
    assert len(rng.bytes(5)) == 5
    x = rng.integers([1, 10], [3, 12], size=(500, 2))
    assert x.min(axis=0).tolist() == [1, 10] and x.max(axis=0).tolist() == [2, 11]
    assert len({g.random().item() for g in rng.spawn(3)}) == 3


def test_state():
    rng = stria.random.default_rng(3)
    rng.random(2)
    again, state = pickle.loads(pickle.dumps(rng)), rng.bit_generator.state
    first = rng.random(3).tolist()
    assert again.random(3).tolist() == first
    rng.bit_generator.state = state
    assert rng.random(3).tolist() == first
    stria.random.seed(4)
    state = stria.random.get_state()
    first = stria.random.rand(2).tolist()
    stria.random.set_state(state)
    assert stria.random.rand(2).tolist() == first
    assert stria.random.RandomState(4).rand(2).tolist() == first
    assert 1 <= stria.random.random_integers(3) <= 3
    with pytest.raises(AttributeError, match="default_rng"):
        stria.random.PCG64
    assert stria.random.default_rng().random(2).tolist() != stria.random.default_rng().random(2).tolist()


@pytest.mark.parametrize("call", [
    "gamma(-1.0)", "beta(0, 1)", "poisson(-1)", "poisson(float('nan'))", "binomial(-1, 0.5)", "binomial(5, 1.5)", "zipf(1.0)",
    "logseries(-0.1)", "hypergeometric(2, 3, 9)", "multinomial(3, [0.9, 0.9, 0.1])", "chisquare([1, 0])", "wald(1, 0)",
    "multivariate_hypergeometric([1, 2], 9)", "integers([1, 5], [3, 5])", "dirichlet([1, 0])", "gamma(1.0, size=-1)"])
def test_refused(call):
    with pytest.raises(ValueError):
        eval(f"rng.{call}", {"rng": stria.random.default_rng(1)})


def test_multivariate_normal():
    np = pytest.importorskip("numpy")
    cov = [[2.0, 0.6], [0.6, 1.0]]
    x = np.asarray(stria.random.default_rng(1).multivariate_normal([1.0, -1.0], cov, 100000))
    assert x.shape == (100000, 2) and np.allclose(x.mean(0), [1, -1], atol=0.02) and np.allclose(np.cov(x.T), cov, atol=0.03)
