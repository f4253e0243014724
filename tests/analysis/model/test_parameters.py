import pytest

from analysis.model.parameters import ParameterCounts


@pytest.mark.parametrize("active", [0, 80e9])
def test_more_active_parameters_than_there_are_are_refused(active):
    with pytest.raises(ValueError, match=r"at most at all 7e\+10; got .*. Pass how many work on one token"):
        ParameterCounts(total=70e9, active=active)
